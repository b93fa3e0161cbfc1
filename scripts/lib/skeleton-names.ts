/** A new endpoint: where it goes and how it is called. */
export interface Plan {
  kind: 'query' | 'command';
  /** The folder or file below `queries/` or `commands/`, in kebab-case. */
  feature: string;
  /** The name of the endpoint within the feature, in kebab-case. */
  name: string;
  /** The name of the value: `showBlocks`, `accountFirstStatuses`. */
  value: string;
  path: string;
}

export const camel = (text: string): string =>
  text.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
export const snake = (text: string): string => text.replaceAll('-', '_');
const kebab = (text: string): string => text.replaceAll('_', '-');

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** What is before the name in the path of an endpoint about one thing. */
const OF_ONE = ':id/';

/**
 * Plans an endpoint from its words, which may have hyphens or underscores. `:id/` before the name is about one thing of the
 * feature.
 * @throws Error when a word has other characters
 */
export function planOf(kind: string | undefined, feature = '', name?: string): Plan {
  if (kind !== 'query' && kind !== 'command') throw new Error('Say `query` or `command` first.');
  const given = name ?? (kind === 'query' ? 'show' : 'create');
  const isOfOne = given.startsWith(OF_ONE);
  const [folder, endpoint] = [kebab(feature), kebab(isOfOne ? given.slice(OF_ONE.length) : given)];
  for (const each of [folder, endpoint]) {
    if (!NAME.test(each)) throw new Error(`"${each}" is not in kebab-case, such as featured-tags.`);
  }
  return {
    kind,
    feature: folder,
    name: endpoint,
    value: valueOf(kind, folder, endpoint, isOfOne),
    path: `/api/v1/${snake(folder)}/${isOfOne ? OF_ONE : ''}${snake(endpoint)}`,
  };
}

/** The first words of queries that are verbs; the name of a command is one. */
const VERBS =
  /^(check|compare|count|export|find|list|lookup|preview|retrieve|search|show|suggest|verify)(-|$)/;

/** Returns `listBlocks` for a verb, `muteAccount` for one about one thing, and `accountFirstStatuses` for a noun. */
function valueOf(kind: Plan['kind'], feature: string, name: string, isOfOne: boolean): string {
  const one = singular(feature);
  if (kind === 'query' && !VERBS.test(name)) return camel(`${one}-${name}`);
  return camel(`${name}-${isOfOne ? one : feature}`);
}

/** Returns `status` for `statuses`, `reply` for `replies`. */
const singular = (plural: string): string =>
  plural.replace(/(ies|(?<=s|x|ch|sh)es|s)$/, (ending) => (ending === 'ies' ? 'y' : ''));
