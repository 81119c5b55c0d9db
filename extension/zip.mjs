/** Zip files: the same content always gives the same bytes. */
import { crc32, deflateRawSync } from 'node:zlib';

const UTF8 = 0x0800;
const DEFLATED = 8;
const VERSION = 20;
/** 1 January 1980, the earliest day that a zip file knows. */
const DAY = 0x0021;

/** The zip file of `files`, a map of paths to contents. */
export function zip(files) {
  const bodies = [];
  const directory = [];
  let offset = 0;
  for (const [path, contents] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(contents, { level: 9 });
    const entry = Buffer.alloc(26);
    entry.writeUInt16LE(VERSION, 0);
    entry.writeUInt16LE(UTF8, 2);
    entry.writeUInt16LE(DEFLATED, 4);
    entry.writeUInt16LE(0, 6);
    entry.writeUInt16LE(DAY, 8);
    entry.writeUInt32LE(crc32(contents), 10);
    entry.writeUInt32LE(packed.length, 14);
    entry.writeUInt32LE(contents.length, 18);
    entry.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([signature('PK\x03\x04'), entry, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(signature('PK\x01\x02'), number16(VERSION), entry, place, name);
    bodies.push(body);
    offset += body.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.size, 4);
  end.writeUInt16LE(files.size, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, listed, signature('PK\x05\x06'), end]);
}

function signature(text) {
  return Buffer.from(text, 'latin1');
}

function number16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
