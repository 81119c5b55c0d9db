/**
 * The npm package, in dist/: one entry whose parts are ordinary dynamic imports, for the customer's bundler to split
 * off, and the types of that entry.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { OPTIONS, partsAsModules } from './bundling.mjs';

const INDEX_TYPES = `import type { CircuyApi } from './types/entry/api.js';

export type * from './types/entry/api.js';

export declare const Circuy: CircuyApi;
export default Circuy;
`;

/** Writes the package of the sources in `here` to `output`. */
export async function buildPackage(here, output) {
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: { index: 'src/entry/package.ts' },
    outdir: output,
    splitting: true,
    format: 'esm',
    chunkNames: 'parts/[name]-[hash]',
    metafile: true,
    plugins: [partsAsModules, ...OPTIONS.plugins],
  });
  const parts = Object.keys(metafile.outputs).map((file) => basename(file).replace(/-.*$/, ''));
  const missing = ['widget', 'tour', 'judge', 'recorder', 'preview', 'shadow'].filter((part) => !parts.includes(part));
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
