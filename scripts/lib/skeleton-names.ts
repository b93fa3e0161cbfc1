import type { Endpoint, Method } from '#kernel/endpoint.ts';
import { permissionsOf } from '#mastodon/permissions.ts';
import {
  type Asked,
  camel,
  featureIn,
  kindOf,
  methodOf,
  namesIn,
  type SkeletonKind,
  snake,
  type,
} from './skeleton-words.ts';

/** A new endpoint: where it goes and how it is called. */
export interface Plan {
  kind: SkeletonKind;
  method: Method;
  /** The folder or file below `queries/` or `commands/`, in kebab-case: `lists`, `admin/reports`. */
  feature: string;
  /** The name of the endpoint's file and spec, in kebab-case. */
  name: string;
  /** The name of the value: `showBlocks`, `accountFirstStatuses`. */
  value: string;
  path: string;
  /** The permission that an endpoint of staff demands, and its scope. */
  staff?: { permission: string; scope: string };
  /** The endpoints of the same path with another method, and their files. */
  beside: readonly string[];
}

/** The names and addresses that the repository has already. */
export interface Known {
  features: readonly string[];
  endpoints: readonly (Pick<Endpoint, 'method' | 'path' | 'scopes'> & {
    permission: Endpoint['permission'] | undefined;
    file: string;
  })[];
  /** The names that files of `commands/` and `queries/` export. */
  names: ReadonlySet<string>;
  /** The names of prepared statements. */
  statements: ReadonlySet<string>;
}

/**
 * Plans an endpoint from its words, which may have hyphens or underscores. `:id` at the start of the name is about one thing of
 * the feature; without a name, the path is that of the feature or of the thing.
 * @throws Error that says what is wrong and what to type
 */
export function planOf(asked: Asked, known: Known): Plan {
  const kind = kindOf(asked.kind);
  const method = methodOf(kind, asked.method);
  const feature = featureIn(asked);
  assertPlural(asked, feature, known);
  const { isOfOne, words } = namesIn(asked);
  const path = ['/api/v1', snake(feature), ...(isOfOne ? [':id'] : []), ...words.map(snake)].join('/');
  const same = known.endpoints.filter((each) => patternOf(each.path) === patternOf(path));
  const taken = same.find((each) => each.method === method);
  if (taken) throw new Error(existing(kind, { ...taken, path }));
  const staff = staffOf(feature, method, asked.permission, known);
  return {
    kind,
    method,
    feature,
    name: nameOf(method, words),
    value: freeName(method, { feature, words, isOfOne }, known),
    path,
    ...(staff && { staff }),
    beside: same.map((each) => `${each.method} in ${each.file}`),
  };
}

const patternOf = (path: string): string => path.replaceAll(/:\w+/g, ':');

function existing(kind: SkeletonKind, { method, path, file }: Known['endpoints'][number]): string {
  const remedy =
    kind === 'query'
      ? 'Give the new one a name of its own'
      : 'Give the new one a name of its own, or another method: --method put, patch or delete';
  return `${method} ${path} exists already, in ${file}. ${remedy}.`;
}

/** @throws Error when the feature exists in the plural */
function assertPlural({ kind, name }: Asked, feature: string, { features }: Known): void {
  if (features.includes(feature)) return;
  const plural = features.find((each) => each !== feature && singular(each) === feature);
  if (plural !== undefined) throw new Error(`The feature is called ${plural}. ${type(kind, plural, name)}`);
}

/** The first word of the value and of the file, where the name has none. */
const VERB: Readonly<Record<Method, string>> = {
  GET: 'show',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};
const isUsual = (method: Method): boolean => method === 'GET' || method === 'POST';

/** Returns `show` for a path without a name, `first-statuses`, and `delete-archive` for a second method. */
const nameOf = (method: Method, words: readonly string[]): string =>
  [...(words.length === 0 || !isUsual(method) ? [VERB[method]] : []), ...words].join('-');

/** The first words of queries that are verbs; the name of a command is one. */
const VERBS =
  /^(check|compare|count|export|find|list|lookup|preview|retrieve|search|show|suggest|verify)(-|$)/;

interface Words {
  feature: string;
  words: readonly string[];
  isOfOne: boolean;
}

/** Returns names in the order of preference: `listBlocks` for a verb, `accountFirstStatuses` for a noun. */
function namesFor(method: Method, { feature, words, isOfOne }: Words): string[] {
  const [name, all] = [words.join('-'), feature.replace('/', '-')];
  const one = singular(all);
  const subject = isOfOne ? one : all;
  if (name === '') return [camel(`${VERB[method]}-${method === 'GET' ? subject : one}`)];
  if (!isUsual(method)) return [camel(`${VERB[method]}-${one}-${name}`)];
  const [asNoun, asVerb] = [camel(`${one}-${name}`), camel(`${name}-${subject}`)];
  return method === 'POST' || VERBS.test(name) ? [asVerb, asNoun] : [asNoun];
}

/** Returns the name of the endpoint's prepared statement, from that of its value: `list_count` for `listCount`. */
export const statementOf = (value: string): string =>
  value.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @throws Error when every name is taken, by an export or by a statement */
function freeName(method: Method, words: Words, { names, statements }: Known): string {
  const wanted = namesFor(method, words);
  const free = wanted.find((name) => !names.has(name) && !statements.has(statementOf(name)));
  if (free !== undefined) return free;
  throw new Error(
    `Other files have exports or statements called ${wanted.join(' and ')} already: give the endpoint another name.`,
  );
}

/**
 * Returns permission and scope of an endpoint of staff, by default those of its feature; undefined for others.
 * @throws Error when a permission is missing, unknown or out of place
 */
function staffOf(feature: string, method: Method, asked: string | undefined, known: Known): Plan['staff'] {
  const all: readonly string[] = permissionsOf('Owner');
  if (asked !== undefined && !all.includes(asked))
    throw new Error(`There is no permission ${asked}. Permissions are: ${all.join(', ')}.`);
  if (!feature.startsWith('admin/')) {
    if (asked === undefined) return undefined;
    throw new Error('Only endpoints of staff have a permission: say the feature as admin/FEATURE.');
  }
  const base = `/api/v1/${snake(feature)}`;
  const beside = known.endpoints.find(({ path }) => path === base || path.startsWith(`${base}/`));
  const permission = asked ?? beside?.permission;
  if (permission === undefined)
    throw new Error(
      `${feature} is new: say the permission of its users, such as --permission manage_reports.`,
    );
  const kind = method === 'GET' ? 'read' : 'write';
  return { permission, scope: (beside?.scopes[0] ?? 'admin:read').replace(/^admin:\w+/, `admin:${kind}`) };
}

/** Returns `status` for `statuses`, `reply` for `replies`. */
export const singular = (plural: string): string =>
  plural.replace(/(ies|(?<=s|x|ch|sh)es|s)$/, (ending) => (ending === 'ies' ? 'y' : ''));
