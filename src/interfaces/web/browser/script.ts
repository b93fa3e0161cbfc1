import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastingFile, type LastingFile } from '../design/stylesheet.ts';

/** The parts of the script, in their order. They share one scope. */
const FILES = ['main'];

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, `${name}.js`), 'utf8');

/** The script of the pages of signed-in users. All works without it. */
export const script: LastingFile = lastingFile('app', 'js', FILES.map(textOf).join('\n'));
