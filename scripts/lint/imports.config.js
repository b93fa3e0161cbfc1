// The rules of imports alone, which need no types: `npx eslint --no-config-lookup -c scripts/lint/imports.config.js --fix FILES`.
import tseslint from 'typescript-eslint';
import { importRules } from './import-rules.js';

export default [
  { ignores: ['src/interfaces/http/contracts.ts'] },
  {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
  },
  importRules,
];
