import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Reads the files below a folder of this repository whose names end so. Their names are relative to its root. */
export const filesBelow = (folder: string, ending: string): { name: string; text: string }[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ name: relative(ROOT, file), text: readFileSync(file, 'utf8') }));

/** Reads the TypeScript files below folders of this repository. Their names are relative to its root. */
export const sourcesBelow = (...folders: string[]): { name: string; text: string }[] =>
  folders.flatMap((folder) => filesBelow(folder, '.ts'));
