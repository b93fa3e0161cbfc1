// Takes the place of `src/kernel/read.ts` in the process of `declared.ts`: notes each statement that is declared, and where.
import { getCallSites } from 'node:util';
import { type Statement, statement as declare } from '#kernel/read.ts';

export * from '#kernel/read.ts';

/** A call on the way to a statement: its file, and the place of its callee from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** A statement with the calls that made it, the inmost first. */
export interface Declared {
  name: string;
  text: string;
  calls: Place[];
}

/** Deeper calls are those of the imports. */
const DEPTH = 12;
export const declared: Declared[] = [];

export function statement<Row = never>(name: string, text: string): Statement<Row> {
  const [, ...sites] = getCallSites(DEPTH);
  const calls = sites
    .filter(({ scriptName }) => scriptName.startsWith('file:') && !scriptName.includes('/node_modules/'))
    .map(({ scriptName, lineNumber: line, columnNumber: column }) => ({
      file: new URL(scriptName).pathname,
      line,
      column,
    }));
  declared.push({ name, text, calls });
  return declare(name, text);
}
