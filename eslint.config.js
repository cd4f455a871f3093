// Lint rules: what the compiler cannot see and the style asks for.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { castReason } from './scripts/cast-reason.mjs';
import { linesPerFunction } from './scripts/lines-per-function.mjs';

const cairn = { rules: { 'cast-reason': castReason, 'lines-per-function': linesPerFunction } };

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      'build',
      '**/dist',
      'data',
      'prisma/generated',
      '**/generated',
      'coverage',
      'test/contract/ga4gh',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { cairn },
    rules: {
      'cairn/cast-reason': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off', // graphql-js compares its enums with their words
      '@typescript-eslint/unbound-method': ['error', { ignoreStatic: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNullish: true },
      ],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-warning-comments': 'error',
      'no-nested-ternary': 'error',
      'max-lines': ['error', 300],
      'cairn/lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // A test says what it expects of a JSON body; the body itself may be anything.
    files: ['test/**/*.ts', '**/*.test.ts'],
    rules: {
      // what a test takes a body for is what it expects; where it is not, the test fails (decision 108)
      'cairn/cast-reason': 'off',
      // `npm run lines` counts them otherwise
      'max-lines': 'off',
      'no-nested-ternary': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        structuredClone: 'readonly',
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        module: 'writable',
        document: 'readonly',
        window: 'readonly',
        sessionStorage: 'readonly',
        WebAssembly: 'readonly',
        globalThis: 'readonly',
        fetch: 'readonly',
        location: 'readonly',
        localStorage: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
);
