/**
 * Builds the SDK into static/circuy/, where the server serves it from.
 *
 *   node build.mjs           writes the bundles
 *   node build.mjs --check   builds aside and compares: fails when the committed bundles are not those of the sources
 *
 * The same sources always give the same bytes. File names do not change either; each bundle asks for the next one with
 * a digest of its content, so that browsers may keep them for long and still never mix two versions.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT = join(HERE, '../static/circuy');
const TARGET = ['es2022', 'chrome111', 'firefox113', 'safari16.4'];
const SHEPHERD_NOTICE = '/*! Shepherd.js 13.0.3, Floating UI, deepmerge-ts, Svelte: see LICENSES.txt */';

/** Packages whose code is in the bundles, with the file that holds their licence. */
const LICENSED = [
  ['shepherd.js', 'LICENSE.md'],
  ['@floating-ui/core', 'LICENSE'],
  ['@floating-ui/dom', 'LICENSE'],
  ['@floating-ui/utils', 'LICENSE'],
  ['deepmerge-ts', 'LICENSE'],
];

/** Shepherd carries the runtime of the compiler it was made with; that package is not installed. */
const SVELTE = `svelte 4.2.18 (runtime, compiled into shepherd.js)

Copyright (c) 2016-24 the Svelte contributors. MIT licence, with the same terms as above:
https://github.com/sveltejs/svelte/blob/svelte-4/LICENSE.md
`;

/** Style sheets become minified text, adopted by shadow roots as constructable sheets. */
const cssAsText = {
  name: 'css-as-text',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target: TARGET });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

async function bundle(entry, { format, define = {}, banner = '', globalName = '' }) {
  const result = await build({
    absWorkingDir: HERE,
    entryPoints: [`src/entry/${entry}.ts`],
    bundle: true,
    write: false,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    format,
    ...(globalName === '' ? {} : { globalName }),
    target: TARGET,
    define,
    banner: banner === '' ? {} : { js: banner },
    plugins: [cssAsText],
    logLevel: 'warning',
  });
  return Buffer.from(result.outputFiles[0].contents);
}

function chunkName(name, contents) {
  return JSON.stringify(`${name}?v=${createHash('sha256').update(contents).digest('hex').slice(0, 12)}`);
}

async function licences() {
  const parts = await Promise.all(
    LICENSED.map(async ([name, file]) => {
      const folder = join(HERE, 'node_modules', name);
      const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      return `${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
    }),
  );
  const intro = 'Code of these packages is part of tour.js.\n';
  return Buffer.from([intro, ...parts, SVELTE].join(`\n${'-'.repeat(80)}\n\n`));
}

/** All files of the SDK, by name. */
async function buildAll() {
  const tour = await bundle('tour', { format: 'esm', banner: SHEPHERD_NOTICE });
  const recorder = await bundle('recorder', { format: 'esm' });
  const widget = await bundle('widget', { format: 'esm', define: { TOUR_CHUNK: chunkName('tour.js', tour) } });
  const scan = await bundle('scan', { format: 'iife', globalName: 'CircuyScan' });
  const loader = await bundle('loader', {
    format: 'iife',
    define: { WIDGET_CHUNK: chunkName('widget.js', widget), RECORDER_CHUNK: chunkName('recorder.js', recorder) },
  });
  return new Map([
    ['circuy.js', loader],
    ['widget.js', widget],
    ['tour.js', tour],
    ['recorder.js', recorder],
    ['circuy-scan.js', scan],
    ['LICENSES.txt', await licences()],
  ]);
}

async function write(files) {
  await rm(OUTPUT, { recursive: true, force: true });
  await mkdir(OUTPUT, { recursive: true });
  for (const [name, contents] of files) {
    await writeFile(join(OUTPUT, name), contents);
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

const files = await buildAll();
await (process.argv.includes('--check') ? check(files) : write(files));
