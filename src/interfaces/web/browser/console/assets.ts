import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compactStyle, type LastingFile, lastingFile } from '#interfaces/web/design/stylesheet.ts';
import { joined } from '../script.ts';

/** The modules of the console's script, each after those that it imports. */
const SCRIPTS = ['../times', '../dom', '../keys-dialog', 'live', 'keys', 'proof', 'replay'];
/** The files of `design/styles/console/`, in the order in which they apply. */
const STYLES = [
  'console',
  'tables',
  'charts',
  'moderation',
  'audit',
  'replay',
  'server',
  'operation',
  'log',
  'print',
];

const script = (name: string): string => readFileSync(join(import.meta.dirname, `${name}.js`), 'utf8');
const style = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../design/styles/console', `${name}.css`), 'utf8');

/** The script of the console's pages, in addition to that of all pages. All works without it. */
export const consoleScript: LastingFile = lastingFile('console', 'js', joined(SCRIPTS.map(script)));

/** The style of the console's pages, in addition to that of all pages. */
export const consoleStyle: LastingFile = lastingFile(
  'console',
  'css',
  compactStyle(STYLES.map(style).join('\n')),
);
