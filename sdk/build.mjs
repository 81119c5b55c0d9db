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
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { buildPackage } from './build_package.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT = join(HERE, '../static/circuy');
const TARGET = ['es2022', 'chrome111', 'firefox113', 'safari16.4'];
const SHEPHERD_NOTICE = '/*! Shepherd.js 13.0.3, Floating UI: see LICENSES.txt */';

/** Packages whose code is in the bundles, with the file that holds their licence. */
const LICENSED = [
  ['shepherd.js', 'LICENSE.md'],
  ['@floating-ui/core', 'LICENSE'],
  ['@floating-ui/dom', 'LICENSE'],
  ['@floating-ui/utils', 'LICENSE'],
];

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

/**
 * Shepherd's own sources, which its package holds, without what a guide has no use for: our element stands for the
 * component that it shows steps in, no overlay is ever made, and the options that it merges do not nest. It weighs 40 %
 * less than the bundle of its package, which brings Svelte's runtime.
 */
const shepherdWithOurElement = {
  name: 'shepherd-with-our-element',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^shepherd\.js$/ }, () => ({
      path: join(HERE, 'node_modules/shepherd.js/src/shepherd.ts'),
    }));
    esbuild.onResolve({ filter: /\.svelte$/ }, ({ path }) => ({ path: basename(path), namespace: 'component' }));
    esbuild.onLoad({ filter: /^shepherd-element\.svelte$/, namespace: 'component' }, () => ({
      contents: "export { ShepherdElement as default } from './src/tour/shepherd_element';",
      resolveDir: HERE,
    }));
    esbuild.onLoad({ filter: /^shepherd-modal\.svelte$/, namespace: 'component' }, () => ({
      contents: 'export default class {}',
    }));
    esbuild.onResolve({ filter: /^deepmerge-ts$/ }, () => ({ path: 'merge', namespace: 'component' }));
    esbuild.onLoad({ filter: /^merge$/, namespace: 'component' }, () => ({
      contents: 'export const deepmerge = (...options) => Object.assign({}, ...options);',
    }));
  },
};

const { version } = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8'));

const VERSION = { SDK_VERSION: JSON.stringify(version) };

/** What every bundle is made with. */
const OPTIONS = {
  absWorkingDir: HERE,
  bundle: true,
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  target: TARGET,
  plugins: [cssAsText, shepherdWithOurElement],
  logLevel: 'warning',
};

async function bundle(entry, { format, define = {}, banner = '', globalName = '' }) {
  const result = await build({
    ...OPTIONS,
    entryPoints: [`src/entry/${entry}.ts`],
    write: false,
    format,
    ...(globalName === '' ? {} : { globalName }),
    define: { ...VERSION, ...define },
    banner: banner === '' ? {} : { js: banner },
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
      const { version: theirs } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      return `${name} ${theirs}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
    }),
  );
  const intro = 'Code of these packages is part of the guides (tour.js).\n';
  return Buffer.from([intro, ...parts].join(`\n${'-'.repeat(80)}\n\n`));
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
  const scan = await bundle('scan', { format: 'iife', globalName: 'CircuyScan' });
  const loader = await bundle('loader', {
    format: 'iife',
    define: { WIDGET_CHUNK: chunkName('widget.js', widget), RECORDER_CHUNK: chunkName('recorder.js', recorder) },
  });
  return new Map([
    ['circuy.js', loader],
    ['widget.js', widget],
    ['tour.js', tour],
    ['judge.js', judge],
    ['recorder.js', recorder],
    ['circuy-scan.js', scan],
    ['LICENSES.txt', await licences()],
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
  await buildPackage(HERE, dist, {
    ...OPTIONS,
    define: VERSION,
  });
  await writeFile(join(dist, 'LICENSES.txt'), files.get('LICENSES.txt'));
  console.log(`\nversion ${version}; integrity of circuy.js:\n${integrity(files.get('circuy.js'))}`);
}
