import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { importRules } from './scripts/lint/import-rules.js';
import { noSpreadOfLiteral } from './scripts/lint/no-spread-of-literal.js';
import { throwBesidePromise } from './scripts/lint/throw-beside-promise.js';

const lines = (max) => ({ 'max-lines': ['error', { max, skipBlankLines: false, skipComments: false }] });
const rookery = {
  rules: { 'no-spread-of-literal': noSpreadOfLiteral, 'throw-beside-promise': throwBesidePromise },
};

export default defineConfig(
  globalIgnores(['data/', 'coverage/', 'node_modules/', 'src/interfaces/http/contracts.ts']),
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...lines(400),
      // `??` and `?.` count as branches; what reads as one list of fields is no maze.
      complexity: ['error', 16],
      'max-depth': ['error', 3],
      'max-params': ['error', 5],
      // `== null` asks for null and undefined at once.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Refusing control characters needs to name them.
      'no-control-regex': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      // A method of an asynchronous interface may have nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      'prefer-const': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config/config.ts reads the environment.' },
      ],
      'no-restricted-imports': ['error', { paths: ['process', 'node:process'] }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // A default case is fine where it is a check for never or a general answer.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Numbers, booleans and ids in a message are what one means.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // `() => log.info(...)` as a callback reads well; so does `void promise` in an event handler.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      // Types of what comes from outside say what should be there, not what is.
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
  importRules,
  {
    files: ['**/*.ts', '**/*.js', '**/*.cjs'],
    plugins: { rookery },
    rules: { 'rookery/no-spread-of-literal': 'error' },
  },
  { files: ['commands/**/*.ts', 'queries/**/*.ts', 'projections/**/*.ts'], rules: lines(200) },
  {
    files: ['src/**/*.ts', 'commands/**/*.ts', 'queries/**/*.ts', 'projections/**/*.ts'],
    ignores: ['src/adapters/outbound-http/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Ask other servers by ctx.services.http.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            'process',
            'node:process',
            {
              name: 'node:http',
              importNames: ['request', 'get', 'default', 'Agent'],
              message: 'See src/adapters/outbound-http.',
            },
            { name: 'node:https', message: 'See src/adapters/outbound-http.' },
            { name: 'node:http2', message: 'See src/adapters/outbound-http.' },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    // Records of specs are many, and often long; a migration is one list of statements.
    ignores: ['test/**', 'src/storage/postgres/migrations/**'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: false, skipComments: false }] },
  },
  {
    files: ['**/*.ts'],
    // An unhandled rejection ends the process of a spec, and Mocha names the spec.
    ignores: ['test/**'],
    rules: { 'rookery/throw-beside-promise': 'error' },
  },
  { files: ['src/config/config.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['src/cli/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', 'src/main.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // chai asserts by property (`expect(x).to.be.true`); tests may pass settings on to child processes.
      '@typescript-eslint/no-unused-expressions': 'off',
      // Kits of tests are object literals without `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // JSON replies are checked against their schema by the test server.
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/use-unknown-in-catch-callback-variable': 'off',
      'no-restricted-properties': 'off',
      'max-lines': ['error', 520],
    },
  },
  {
    files: ['src/interfaces/web/browser/**/*.js'],
    // TypeScript knows what browsers have.
    rules: {
      ...lines(200),
      complexity: ['error', 16],
      'no-undef': 'off',
      'no-console': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', module: 'writable' } },
  },
);
