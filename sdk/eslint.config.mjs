import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const nodeGlobals = {
  Buffer: 'readonly',
  URL: 'readonly',
  console: 'readonly',
  process: 'readonly',
  setTimeout: 'readonly',
};

const pageGlobals = { document: 'readonly', window: 'readonly', setTimeout: 'readonly', Event: 'readonly' };

/** What all code is held to, the extension's too. */
export const shared = tseslint.config(
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: nodeGlobals } },
);

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'src/api/schema.ts'] },
  ...shared,
  {
    // The core decides without a page: it must run in any JavaScript engine.
    files: ['src/core/**'],
    rules: {
      'no-restricted-globals': ['error', 'window', 'document', 'fetch', 'localStorage', 'sessionStorage', 'navigator'],
      'no-restricted-imports': [
        'error',
        { patterns: ['../dom/*', '../ui/*', '../tour/*', '../widget/*', '../recorder/*', '../entry/*'] },
      ],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/tour/**'],
    rules: { 'no-restricted-imports': ['error', { paths: ['shepherd.js'] }] },
  },
  {
    // Takes methods off the browser's prototypes to call them on elements that hide them.
    files: ['src/dom/environment.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  { files: ['dev/playground.js'], languageOptions: { globals: pageGlobals } },
);
