import { targetOf } from '../lint/room-paths.js';

/** A source file, with its path from the root. */
export interface Source {
  name: string;
  text: string;
}

const IMPORTED = /\b(?:from|import\()\s*'([#.][^']+)'/g;
const IMPORT = /^(?:import|export)\s[^;'"]*?\sfrom\s*'([#.][^']+)'/gm;
const LATE = /\bimport\(\s*'([#.][^']+)'/g;
const ALL = /^(?:import|export) \*/m;
const EXPORTED = /^export (?:async )?(?:const|class|function\*?) (\w+)/gm;

/** Returns the files that none of these entries loads, directly or through others. Types count as well. */
export function unreached(sources: readonly Source[], entries: readonly string[]): string[] {
  const texts = new Map(sources.map(({ name, text }) => [name, text]));
  const seen = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const text = texts.get(file);
    if (text === undefined || seen.has(file)) continue;
    seen.add(file);
    for (const [, target = ''] of text.matchAll(IMPORTED)) open.push(targetOf(file, target));
  }
  return [...texts.keys()].filter((file) => !seen.has(file));
}

/** Returns the exported functions, classes and constants that neither another file imports nor their own file uses. */
export function unusedExports(sources: readonly Source[]): string[] {
  const imported = new Map<string, string>();
  const note = (file: string, text: string): void =>
    void imported.set(file, `${imported.get(file) ?? ''}\n${text}`);
  for (const { name, text } of sources) {
    for (const [statement, target = ''] of text.matchAll(IMPORT)) note(targetOf(name, target), statement);
    // The names that a late import gives are anywhere in the file.
    for (const [, target = ''] of text.matchAll(LATE)) note(targetOf(name, target), text);
  }
  return sources.flatMap(({ name: file, text }) => {
    const names = new Set([...text.matchAll(EXPORTED)].map(([, name = '']) => name));
    const others = imported.get(file) ?? '';
    return [...names]
      .filter((name) => !ALL.test(others) && !mentions(others, name) && !isUsedIn(text, name))
      .map((name) => `${file}: ${name}`);
  });
}

const mentions = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

/** Tells whether a file says a name anywhere but in its declaration. */
const isUsedIn = (text: string, name: string): boolean =>
  new RegExp(`(?<!\\b(?:const|class|function\\*?) )\\b${name}\\b`).test(text);
