/**
 * Builds the scanner without its locators, as `CircuyWithoutLocators`: node no_locators.mjs ENTRY OUTPUT.
 * All else it does is the same, so that what locators cost can be told.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [entry, output] = process.argv.slice(2);
const { build } = createRequire(pathToFileURL(entry))('esbuild');

const NO_LOCATORS = `export class Locators {
  of() { return { selector: '', fallback: null }; }
  into() { return ''; }
}`;

await build({
  entryPoints: [entry],
  outfile: output,
  bundle: true,
  minify: true,
  format: 'iife',
  globalName: 'CircuyWithoutLocators',
  target: 'es2022',
  logLevel: 'error',
  plugins: [
    {
      name: 'no-locators',
      setup({ onLoad }) {
        onLoad({ filter: /[\\/]dom[\\/]locators\.ts$/ }, () => ({ contents: NO_LOCATORS, loader: 'ts' }));
      },
    },
  ],
});
