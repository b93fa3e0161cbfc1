import { targetOf } from '../lint/room-paths.js';
import { skeletonOf, withImports } from './skeleton.ts';
import { type Plan, singular } from './skeleton-names.ts';
import { specFile, specOf } from './skeleton-spec.ts';
import { camel } from './skeleton-words.ts';

/** Reads a file by its path from the root; undefined where there is none. */
type Read = (file: string) => string | undefined;

/**
 * Returns the files to write, by path: the endpoint, the list that names it, its spec. A feature that is a folder gets a new
 * file; to a feature of one file the endpoint is added; a new feature becomes a file, listed in the index of all.
 * @throws Error when a file is there already, or when there is no list to add the endpoint to
 */
export function filesFor(plan: Plan, read: Read): Map<string, string> {
  const { kind, feature, name } = plan;
  const top = kind === 'query' ? 'queries' : 'commands';
  const spec = specFile(plan);
  const index = `${top}/${feature}/index.ts`;
  const files = read(index) !== undefined ? inFolder(plan, read, index) : inFile(plan, read, top);
  for (const file of [spec, `${top}/${feature}/${name}.ts`]) {
    if (read(file) !== undefined)
      throw new Error(`${file} is there already: give the endpoint another name.`);
  }
  return new Map([...files, [spec, specOf(plan)]]);
}

function inFolder(plan: Plan, read: Read, index: string): [string, string][] {
  const file = index.replace(/index\.ts$/, `${plan.name}.ts`);
  const { imports, code } = skeletonOf(plan);
  const list = fileWithList(index, read);
  const listed = withEntry(read(list) ?? '', plan);
  return [
    [file, withImports(`\n${code}`, file, imports)],
    [list, withImports(listed, list, [{ names: [plan.value], from: file }])],
  ];
}

/** Returns the file with the feature's list: its index, or the one from which the index passes it on. */
function fileWithList(index: string, read: Read): string {
  const text = read(index) ?? '';
  if (LIST.test(text)) return index;
  const [, from = ''] = PASSED_ON.exec(text) ?? [];
  const file = targetOf(index, from);
  if (from !== '' && LIST.test(read(file) ?? '')) return file;
  throw new Error(`${index} has no list of endpoints.`);
}

function inFile(plan: Plan, read: Read, top: string): [string, string][] {
  const { feature, path } = plan;
  const file = `${top}/${feature}.ts`;
  const { imports, code } = skeletonOf(plan);
  const before = read(file);
  if (before !== undefined) {
    const at = before.search(LIST);
    if (at < 0) throw new Error(`${file} has no list of endpoints.`);
    if (before.includes(`'${path}'`)) throw new Error(twoMethods(file, path, `${top}/${feature}/index.ts`));
    const listed = `${before.slice(0, at)}${code}\n${withEntry(before.slice(at), plan)}`;
    return [[file, withImports(listed, file, imports)]];
  }
  const list = camel(`${singular(feature)}-${top}`);
  const all = `${top}/index.ts`;
  const index = read(all) ?? '';
  if (new RegExp(`\\b${list}\\b`).test(index)) {
    throw new Error(`${all} has a list ${list} of another feature: choose another name for ${feature}.`);
  }
  const listed = withEntry(index, { value: `...${list}`, path });
  return [
    [file, withImports(`\n${code}\nexport const ${list} = [${plan.value}];\n`, file, imports)],
    [all, withImports(listed, all, [{ names: [list], from: file }])],
  ];
}

const twoMethods = (file: string, path: string, index: string): string =>
  `${file} has ${path} already, and each method of a path has a file of its own: make the feature a folder with ${index} first.`;

const LIST = /^export const \w+(?:Queries|Commands|Endpoints) = \[/m;
const WHOLE_LIST = /^(export const \w+(?:Queries|Commands|Endpoints) = \[)([^\]]*)\];/m;
/** A list that an index passes on. */
const PASSED_ON = /^export \{[^}]*\b\w+(?:Queries|Commands)\b[^}]*\} from '([^']+)';/m;

/** Adds an entry to the list: literal paths are its start, since they come before those with parameters. */
const withEntry = (text: string, { value, path }: Pick<Plan, 'value' | 'path'>): string =>
  path.includes(':')
    ? text.replace(
        WHOLE_LIST,
        (_all, start: string, entries: string) => `${start}${entries.replace(/,?\s*$/, ',')}${value}];`,
      )
    : text.replace(LIST, (start) => `${start}\n  ${value},`);
