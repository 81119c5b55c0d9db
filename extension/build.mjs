/**
 * Builds the browser extension: a folder to load, and a zip file of the same to hand to a store.
 *
 *   node build.mjs              writes ../dist/circuy-extension/ and ../dist/circuy-extension-<version>.zip
 *   node build.mjs --into DIR   writes both to DIR
 *
 * All of the SDK is in the content script: nothing is fetched at run time, and nothing of the extension is put within
 * reach of pages. Its version is the SDK's.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, licences, OPTIONS, partsAsModules, version } from '../sdk/bundling.mjs';
import { zip } from './zip.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));

const SCRIPTS = ['background', 'content', 'options', 'popup'];
const AS_THEY_ARE = ['options.html', 'popup.html', 'pages.css', '_locales', 'icons'];

/** All files of the extension, by path. */
async function buildAll() {
  const { outputFiles } = await build({
    ...OPTIONS,
    // Chromium takes no content script with characters such as U+FFFF, which the masks name.
    charset: 'ascii',
    absWorkingDir: HERE,
    entryPoints: SCRIPTS.map((name) => `src/${name}.ts`),
    outdir: 'out',
    write: false,
    format: 'iife',
    plugins: [partsAsModules, ...OPTIONS.plugins],
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.replace(/^.*\//, ''), Buffer.from(contents)]));
  for (const name of AS_THEY_ARE) {
    for (const path of await pathsUnder(name)) {
      files.set(path, await readFile(join(HERE, path)));
    }
  }
  return files.set('LICENSES.txt', await licences('the guides (content.js)'));
}

async function pathsUnder(name) {
  if (name.includes('.')) {
    return [name];
  }
  const entries = await readdir(join(HERE, name), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(HERE.length)).sort();
}

function asFile(manifest) {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

const files = await buildAll();
const { key, ...manifest } = JSON.parse(await readFile(join(HERE, 'manifest.json'), 'utf8'));
const at = process.argv.indexOf('--into') + 1;
const into = at === 0 ? join(HERE, '../dist') : resolve(process.argv[at]);
const folder = join(into, 'circuy-extension');

await rm(folder, { recursive: true, force: true });
// A folder's id comes from its key; a store gives its own, and takes no manifest with a key.
for (const [path, contents] of [...files, ['manifest.json', asFile({ ...manifest, key, version })]]) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), contents);
}
const archive = join(into, `circuy-extension-${version}.zip`);
await writeFile(archive, zip(new Map([...files, ['manifest.json', asFile({ ...manifest, version })]])));
console.log(`${folder}\n${archive}`);
