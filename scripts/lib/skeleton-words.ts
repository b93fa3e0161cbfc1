import type { Method } from '#kernel/endpoint.ts';

/** The words of `npm run new`. */
export interface Asked {
  kind?: string | undefined;
  feature?: string | undefined;
  name?: string | undefined;
  method?: string | undefined;
  permission?: string | undefined;
}

export type SkeletonKind = 'query' | 'command';

/** Stands for the id of a thing, before the name. */
const OF_ONE = ':id';
const METHODS: readonly Method[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
const WORD = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** The folder of all features of staff. */
const STAFF = 'admin';

export const camel = (text: string): string =>
  text.replaceAll(/[-/](\w)/g, (_all, letter: string) => letter.toUpperCase());
export const snake = (text: string): string => text.replaceAll('-', '_');
const kebab = (text: string): string => text.replaceAll('_', '-');

/** Returns what to type instead, for the end of a message. */
export const type = (...words: readonly (string | undefined)[]): string =>
  `Type: npm run new -- ${words.filter((word) => word).join(' ')}`;

/** @throws Error for another kind than the two */
export function kindOf(kind: string | undefined): SkeletonKind {
  if (kind === 'query' || kind === 'command') return kind;
  throw new Error('Say `query` or `command` first.');
}

/** Returns the method: GET for a query; POST for a command, unless another is asked for. @throws Error for a method of the other kind */
export function methodOf(kind: SkeletonKind, asked: string | undefined): Method {
  const method = (asked ?? (kind === 'query' ? 'GET' : 'POST')).toUpperCase();
  if (kind === 'query') {
    if (method === 'GET') return 'GET';
    throw new Error(`A query is a GET: say \`command\` for ${method}.`);
  }
  const found = METHODS.find((each) => each === method);
  if (found) return found;
  throw new Error(`A command has one of the methods ${METHODS.join(', ')}; ${method} is none of them.`);
}

/**
 * Returns the feature in kebab-case: `featured-tags`, `admin/reports`.
 * @throws Error that says what to type instead
 */
export function featureIn({ kind, feature = '', name }: Asked): string {
  const path = /^\/?(?:api\/)?v\d+\/(.+)$/.exec(feature)?.[1];
  const words = kebab(path ?? feature)
    .split('/')
    .filter((word) => word !== '');
  const length = words[0] === STAFF ? 2 : 1;
  const first = words.slice(0, length).join('/');
  const rest = words.slice(length);
  if (words.length === 0) throw new Error(`Say the feature. ${type(kind, 'blocks', 'count')}`);
  if (first === STAFF) {
    const some = name === undefined ? 'reports' : kebab(name).replace(/^:id\//, '');
    throw new Error(
      `admin is the folder of all features of staff: say which one. ${type(kind, `admin/${some}`)}`,
    );
  }
  if (path !== undefined || rest.length > 0) {
    const below = [...rest, name].filter((word) => word !== undefined).join('/');
    throw new Error(
      `"${feature}" is a path: say the feature and the rest apart. ${type(kind, first, below)}`,
    );
  }
  for (const word of words) assertWord(word, (right) => type(kind, first.replace(word, right), name));
  return first;
}

/**
 * Returns the words of the path behind the feature, in kebab-case, and whether they are about one thing.
 * @throws Error that says what to type instead
 */
export function namesIn({ kind, feature, name = '' }: Asked): { isOfOne: boolean; words: string[] } {
  const all = name.split('/').filter((word) => word !== '');
  const isOfOne = all[0] === OF_ONE;
  const words = all.slice(isOfOne ? 1 : 0);
  for (const word of words) {
    if (word.startsWith(':')) {
      const others = words.filter((each) => !each.startsWith(':'));
      throw new Error(
        `Only :id at the start stands for a thing; write ${word} into the file afterwards. ${type(kind, feature, [OF_ONE, ...others].join('/'))}`,
      );
    }
    assertWord(kebab(word), (right) => type(kind, feature, name.replace(word, right)));
  }
  return { isOfOne, words: words.map(kebab) };
}

function assertWord(word: string, instead: (right: string) => string): void {
  if (WORD.test(word)) return;
  const right = word
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .replaceAll(/^[-\d]+|-+$/g, '')
    .toLowerCase();
  const remedy = right === '' ? '' : ` ${instead(right)}`;
  throw new Error(`"${word}" is not in kebab-case, such as featured-tags.${remedy}`);
}
