import { skeletonOf, specOf, withImports } from './skeleton.ts';
import { camel, type Plan } from './skeleton-names.ts';

/** Reads a file by its path from the root; undefined where there is none. */
type Read = (file: string) => string | undefined;

/**
 * Returns the files to write, by path: the endpoint, the list that names it, its spec. A feature that is a folder gets a new
 * file; to a feature of one file the endpoint is added; a new feature becomes a file, listed in the index of all.
 * @throws Error when a file is there already
 */
export function filesFor(plan: Plan, read: Read): Map<string, string> {
  const { kind, feature, name } = plan;
  const top = kind === 'query' ? 'queries' : 'commands';
  const spec = `test/${feature}/${name}.api.spec.ts`;
  const index = `${top}/${feature}/index.ts`;
  const alone = `${top}/${feature}.ts`;
  const files = read(index) !== undefined ? inFolder(plan, read, index) : inFile(plan, read, alone, top);
  for (const file of [spec, `${top}/${feature}/${name}.ts`]) {
    if (read(file) !== undefined) throw new Error(`${file} is there already.`);
  }
  return new Map([...files, [spec, specOf(plan)]]);
}

function inFolder(plan: Plan, read: Read, index: string): [string, string][] {
  const file = index.replace(/index\.ts$/, `${plan.name}.ts`);
  const { imports, code } = skeletonOf(plan);
  const listed = withEntry(read(index) ?? '', plan);
  return [
    [file, withImports(`\n${code}`, file, imports)],
    [index, withImports(listed, index, [{ names: [plan.value], from: file }])],
  ];
}

function inFile(plan: Plan, read: Read, file: string, top: string): [string, string][] {
  const { imports, code } = skeletonOf(plan);
  const before = read(file);
  if (before !== undefined) {
    const at = before.search(LIST);
    if (at < 0) throw new Error(`${file} has no list of endpoints.`);
    const listed = `${before.slice(0, at)}${code}\n${withEntry(before.slice(at), plan)}`;
    return [[file, withImports(listed, file, imports)]];
  }
  const list = camel(`${plan.feature}-${top}`);
  const all = `${top}/index.ts`;
  const index = withEntry(read(all) ?? '', { value: `...${list}`, path: plan.path });
  return [
    [file, withImports(`\n${code}\nexport const ${list} = [${plan.value}];\n`, file, imports)],
    [all, withImports(index, all, [{ names: [list], from: file }])],
  ];
}

const LIST = /^export const \w+ = \[/m;
const WHOLE_LIST = /^(export const \w+ = \[)([^\]]*)\];/m;

/** Adds an entry to the list: literal paths are its start, since they come before those with parameters. */
const withEntry = (text: string, { value, path }: Pick<Plan, 'value' | 'path'>): string =>
  path.includes(':')
    ? text.replace(
        WHOLE_LIST,
        (_all, start: string, entries: string) => `${start}${entries.replace(/,?\s*$/, ',')}${value}];`,
      )
    : text.replace(LIST, (start) => `${start}\n  ${value},`);
