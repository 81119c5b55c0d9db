/**
 * Builds the SDK into static/circuy/, where the server serves it from, and the npm package into dist/.
 *
 *   node build.mjs              writes both
 *   node build.mjs --into DIR   writes them to DIR/circuy and DIR/dist
 *   node build.mjs --check      builds aside and compares: fails when the committed bundles are not those of the sources
 *
 * The same sources always give the same bytes. File names do not change either; each bundle asks for the next one with
 * a digest of its content, so that browsers may keep them for long and still never mix two versions.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildPackage } from './build_package.mjs';
import { licences, OPTIONS, version } from './bundling.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT = join(HERE, '../static/circuy');
const SHEPHERD_NOTICE = '/*! Shepherd.js 13.0.3, Floating UI: see LICENSES.txt */';

async function bundle(entry, { format, define = {}, banner = '', globalName = '' }) {
  const result = await build({
    ...OPTIONS,
    entryPoints: [`src/entry/${entry}.ts`],
    write: false,
    format,
    ...(globalName === '' ? {} : { globalName }),
    define: { ...OPTIONS.define, ...define },
    banner: banner === '' ? {} : { js: banner },
  });
  return Buffer.from(result.outputFiles[0].contents);
}

function chunkName(name, contents) {
  return JSON.stringify(`${name}?v=${createHash('sha256').update(contents).digest('hex').slice(0, 12)}`);
}

/** All files of the SDK, by name. */
async function buildAll() {
  const judge = await bundle('judge', { format: 'esm' });
  const tour = await bundle('tour', {
    format: 'esm',
    banner: SHEPHERD_NOTICE,
    define: { JUDGE_CHUNK: chunkName('judge.js', judge) },
  });
  const recorder = await bundle('recorder', { format: 'esm' });
  const widget = await bundle('widget', { format: 'esm', define: { TOUR_CHUNK: chunkName('tour.js', tour) } });
  const preview = await bundle('preview', { format: 'esm', define: { TOUR_CHUNK: chunkName('tour.js', tour) } });
  const shadow = await bundle('shadow', { format: 'esm' });
  const scan = await bundle('scan', { format: 'iife', globalName: 'CircuyScan' });
  const loader = await bundle('loader', {
    format: 'iife',
    define: {
      WIDGET_CHUNK: chunkName('widget.js', widget),
      RECORDER_CHUNK: chunkName('recorder.js', recorder),
      PREVIEW_CHUNK: chunkName('preview.js', preview),
      SHADOW_CHUNK: chunkName('shadow.js', shadow),
    },
  });
  return new Map([
    ['circuy.js', loader],
    ['widget.js', widget],
    ['tour.js', tour],
    ['judge.js', judge],
    ['recorder.js', recorder],
    ['preview.js', preview],
    ['shadow.js', shadow],
    ['circuy-scan.js', scan],
    ['LICENSES.txt', await licences('the guides (tour.js)')],
  ]);
}

async function write(files, output) {
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  for (const [name, contents] of files) {
    await writeFile(join(output, name), contents);
    console.log(
      `${name.padEnd(14)} ${String(contents.length).padStart(7)} B  ${String(gzipSync(contents, { level: 9 }).length).padStart(6)} B gzip`,
    );
  }
}

async function check(files) {
  const committed = await readdir(OUTPUT).catch(() => []);
  const stale = [...files.keys()].filter((name) => !committed.includes(name));
  for (const name of committed) {
    const expected = files.get(name);
    if (expected === undefined || !expected.equals(await readFile(join(OUTPUT, name)))) {
      stale.push(name);
    }
  }
  if (stale.length > 0) {
    console.error(`static/circuy/ does not belong to the sources in sdk/ (${stale.join(', ')}).`);
    console.error('Run `npm --prefix sdk ci && npm --prefix sdk run build` and commit static/circuy/.');
    process.exitCode = 1;
    return;
  }
  console.log('static/circuy/ belongs to the sources.');
}

/** What `integrity` holds in a script tag that takes this very loader and no other. */
function integrity(contents) {
  return `sha384-${createHash('sha384').update(contents).digest('base64')}`;
}

const files = await buildAll();
if (process.argv.includes('--check')) {
  await check(files);
} else {
  const at = process.argv.indexOf('--into') + 1;
  const into = at === 0 ? null : resolve(process.argv[at]);
  await write(files, into === null ? OUTPUT : join(into, 'circuy'));
  const dist = join(into ?? HERE, 'dist');
  await buildPackage(HERE, dist);
  await writeFile(join(dist, 'LICENSES.txt'), files.get('LICENSES.txt'));
  console.log(`\nversion ${version}; integrity of circuy.js:\n${integrity(files.get('circuy.js'))}`);
}
