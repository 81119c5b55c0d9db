/**
 * The npm package, in dist/: one entry whose parts are ordinary dynamic imports, for the customer's bundler to split
 * off, and the types of that entry.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/** How the sources fetch a part by its address. */
const BY_ADDRESS = /import\(new URL\((\w+)_CHUNK, import\.meta\.url\)\.href\)/g;

const INDEX_TYPES = `import type { CircuyApi } from './types/entry/api.js';

export type * from './types/entry/api.js';

export declare const Circuy: CircuyApi;
export default Circuy;
`;

/** In the package a part is fetched as any module is: bundlers see it and split it off. */
const partsAsModules = {
  name: 'parts-as-modules',
  setup(esbuild) {
    esbuild.onLoad({ filter: /[/\\]src[/\\](widget|tour)[/\\]\w+\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replaceAll(BY_ADDRESS, (_, name) => `import('../entry/${name.toLowerCase()}')`);
      return { contents, loader: 'ts' };
    });
  },
};

/** Writes the package of the sources in `here` to `output`; `options` are those of every bundle. */
export async function buildPackage(here, output, options) {
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  const { metafile } = await build({
    ...options,
    entryPoints: { index: 'src/entry/package.ts' },
    outdir: output,
    splitting: true,
    format: 'esm',
    chunkNames: 'parts/[name]-[hash]',
    metafile: true,
    plugins: [partsAsModules, ...options.plugins],
  });
  const parts = Object.keys(metafile.outputs).map((file) => basename(file).replace(/-.*$/, ''));
  const missing = ['widget', 'tour', 'judge', 'recorder'].filter((part) => !parts.includes(part));
  if (missing.length > 0) {
    throw new Error(`The package has no part ${missing.join(', ')}: how is it fetched now?`);
  }
  await writeTypes(here, output);
}

async function writeTypes(here, output) {
  const types = join(output, 'types');
  const tsc = join(here, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['-p', 'tsconfig.types.json', '--outDir', types], { cwd: here });
  for (const entry of await readdir(types, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const file = join(entry.parentPath, entry.name);
      // Resolvers that follow Node want whole file names.
      const text = (await readFile(file, 'utf8')).replaceAll(/(from\s*['"])(\.[^'"]+)(['"])/g, '$1$2.js$3');
      await writeFile(file, text);
    }
  }
  await writeFile(join(output, 'index.d.ts'), INDEX_TYPES);
}
