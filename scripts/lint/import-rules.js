import simpleImportSort from 'eslint-plugin-simple-import-sort';
import { roomImports } from './room-imports.js';

/** Side effects, what comes with Node, packages, other rooms, the own room. */
const ORDER = ['^\\u0000', '^node:', '^@?\\w', '^#', '^\\.'];

export const importRules = {
  files: ['**/*.ts'],
  plugins: { imports: { rules: { 'say-room': roomImports, sort: simpleImportSort.rules.imports } } },
  rules: { 'imports/say-room': 'error', 'imports/sort': ['error', { groups: [ORDER] }] },
};
