/** A new endpoint: where it goes and how it is called. */
export interface Plan {
  kind: 'query' | 'command';
  /** The folder or file below `queries/` or `commands/`, in kebab-case. */
  feature: string;
  /** The name of the endpoint within the feature, in kebab-case. */
  name: string;
  /** The name of the value: `showBlocks`. */
  value: string;
  path: string;
}

export const camel = (text: string): string =>
  text.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
export const snake = (text: string): string => text.replaceAll('-', '_');

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** @throws Error when a name is not in kebab-case */
export function planOf(kind: string | undefined, feature = '', name?: string): Plan {
  if (kind !== 'query' && kind !== 'command') throw new Error('Say `query` or `command` first.');
  const endpoint = name ?? (kind === 'query' ? 'show' : 'create');
  for (const each of [feature, endpoint]) {
    if (!NAME.test(each)) throw new Error(`"${each}" is not in kebab-case, such as featured-tags.`);
  }
  const value = camel(`${endpoint}-${feature}`);
  return { kind, feature, name: endpoint, value, path: `/api/v1/${feature}/${endpoint}` };
}
