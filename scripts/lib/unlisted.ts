import { dirname } from 'node:path';
import { filesIn, importModule } from './imports.ts';

/** The exports of a file, whose path is from the root. */
export interface Module {
  file: string;
  exports: Readonly<Record<string, unknown>>;
}

/** Values that the server finds in a list, such as endpoints. */
export interface Kind {
  isOne: (value: unknown) => boolean;
  /** Everything that the server has of this kind. */
  listed: readonly unknown[];
  /** Tells what is one and the same; the value itself unless given. */
  key?: (value: unknown) => unknown;
}

/** Loads each file of these folders. */
export const modulesIn = (...folders: readonly string[]): Promise<Module[]> =>
  Promise.all(filesIn(...folders).map(async (file) => ({ file, exports: await importModule(file) })));

/** Returns a line for each exported value of a kind that no list of the server contains, with the list to add it to. */
export function unlisted(
  modules: readonly Module[],
  { isOne, listed, key = (value) => value }: Kind,
): string[] {
  const known = new Set(listed.map(key));
  const isForgotten = (value: unknown): boolean => isOne(value) && !known.has(key(value));
  const lists = modules.flatMap(listsOf).filter(({ members }) => members.some(isOne));
  const inList = new Set(lists.flatMap(({ members }) => members));
  const indexes = new Set([
    ...modules.map(({ file }) => file).filter(isIndex),
    ...lists.map(({ file }) => file),
  ]);
  const alone = modules.flatMap(({ file, exports }) =>
    Object.entries(exports)
      .filter(([, value]) => isForgotten(value) && !inList.has(value))
      .map(([name]) => `${file}: list ${name} in ${listFor(file, indexes)}`),
  );
  const together = lists
    .filter(({ members }) => members.some(isForgotten) && !isPartOf(members, lists))
    .map(({ file, name }) => `${file}: list ...${name} in ${indexAbove(file, indexes)}`);
  return [...alone, ...together];
}

interface List {
  file: string;
  name: string;
  members: readonly unknown[];
}

const listsOf = ({ file, exports }: Module): List[] =>
  Object.entries(exports).flatMap(([name, value]) =>
    Array.isArray(value) ? [{ file, name, members: value as unknown[] }] : [],
  );

const isIndex = (file: string): boolean => file.endsWith('/index.ts');

/** Tells whether a longer list has all members: that one is missing further up. */
const isPartOf = (members: readonly unknown[], lists: readonly List[]): boolean =>
  lists.some(
    (list) => list.members.length > members.length && members.every((one) => list.members.includes(one)),
  );

/** Returns the file itself where it has a list, else the nearest index. */
const listFor = (file: string, indexes: ReadonlySet<string>): string =>
  indexes.has(file) ? file : indexAbove(file, indexes);

/** Returns the nearest index of the folder or of one above it, other than the file itself. */
function indexAbove(file: string, indexes: ReadonlySet<string>): string {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const index = `${folder}/index.ts`;
    if (index !== file && indexes.has(index)) return index;
  }
  return 'src/app/routes.ts';
}
