import { filesIn, importModule } from './imports.ts';

/** Where a value is declared. */
export interface Declaration {
  /** From the root. */
  file: string;
  /** The name by which the file exports it; undefined for a member of an exported list. */
  name: string | undefined;
}

/**
 * Returns where each exported value of these folders is declared, and the members of exported lists as well. Lists and indexes
 * repeat the values of files below and beside them, so they come last.
 */
export async function declarationsIn(...folders: readonly string[]): Promise<Map<unknown, Declaration>> {
  const place = (file: string): number => file.split('/').length * 2 - Number(file.endsWith('/index.ts'));
  const files = filesIn(...folders).sort((a, b) => place(b) - place(a));
  const found = new Map<unknown, Declaration>();
  for (const file of files) {
    const exports = await importModule(file);
    const own = Object.entries(exports).map(([name, value]) => ({ name, value }));
    const listed = own.flatMap(({ value }) =>
      Array.isArray(value) ? value.map((each: unknown) => ({ name: undefined, value: each })) : [],
    );
    for (const { name, value } of [...own, ...listed]) {
      const known = found.get(value);
      if (!known || (known.name === undefined && name !== undefined)) found.set(value, { file, name });
    }
  }
  return found;
}
