/** What every bundle of Circuy is made with: the SDK's (build.mjs), its npm package's and the extension's. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

/** For builds that stand in other folders: esbuild is one of the SDK's packages. */
export { build };

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TARGET = ['es2022', 'chrome111', 'firefox113', 'safari16.4'];

/** Packages whose code is in the bundles, with the file that holds their licence. */
const LICENSED = [
  ['shepherd.js', 'LICENSE.md'],
  ['@floating-ui/core', 'LICENSE'],
  ['@floating-ui/dom', 'LICENSE'],
  ['@floating-ui/utils', 'LICENSE'],
];

/** How the sources fetch a part by its address. */
const BY_ADDRESS = /import\(new URL\((\w+)_CHUNK, import\.meta\.url\)\.href\)/g;

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

/** Where no server stands beside the bundle, a part is fetched as any module is: bundlers see it. */
export const partsAsModules = {
  name: 'parts-as-modules',
  setup(esbuild) {
    esbuild.onLoad({ filter: /[/\\]src[/\\](widget|tour|preview)[/\\]\w+\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replaceAll(BY_ADDRESS, (_, name) => `import('../entry/${name.toLowerCase()}')`);
      return { contents, loader: 'ts' };
    });
  },
};

export const { version } = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8'));

export const OPTIONS = {
  absWorkingDir: HERE,
  bundle: true,
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  target: TARGET,
  define: { SDK_VERSION: JSON.stringify(version) },
  plugins: [cssAsText, shepherdWithOurElement],
  logLevel: 'warning',
};

/** The licences of others' code in the bundles. `where` names what holds that code. */
export async function licences(where) {
  const parts = await Promise.all(
    LICENSED.map(async ([name, file]) => {
      const folder = join(HERE, 'node_modules', name);
      const { version: theirs } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      return `${name} ${theirs}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
    }),
  );
  const intro = `Code of these packages is part of ${where}.\n`;
  return Buffer.from([intro, ...parts].join(`\n${'-'.repeat(80)}\n\n`));
}
