import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LastingFile, lastingFile } from '../design/stylesheet.ts';

/** The modules of the script, each after those that it imports. */
const FILES = [
  'times',
  'dom',
  'toast',
  'request',
  'posts',
  'actions',
  'menus',
  'stream',
  'unread',
  'live',
  'count',
  'drafts',
  'uploads',
  'complete',
  'composer',
  'keys-dialog',
  'keys',
  'main',
];

/** Joins modules to one, whose names are therefore distinct, without comments and indentation. */
export const joined = (modules: readonly string[]): string =>
  modules
    .join('\n')
    .replaceAll(/^import [^;]*;$/gm, '')
    .replaceAll(/^export (?=\w)/gm, '')
    .replaceAll(/\/\*\*.*?\*\//gs, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^\s+/gm, '');

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, `${name}.js`), 'utf8');

/** The script of the pages of signed-in users. All works without it. */
export const script: LastingFile = lastingFile('app', 'js', joined(FILES.map(textOf)));
