import type { Instance } from '#kernel/context.ts';
import { isId } from '#kernel/ids.ts';

/** The maximum number of linked collections shown with one post. */
const MAX_LINKED = 10;

/**
 * Returns the ids of local collections that a text (ready JSON of HTML) links to.
 * https://docs.joinmastodon.org/client/collections/#sharing-collections
 */
export function linkedCollections(content: string, { origin }: Instance): readonly string[] {
  const page = `href=\\"${origin}/collections/`;
  if (!content.includes(page)) return [];
  const links = content.split(page).slice(1);
  const ids = links.map((link) => /^([0-9]{1,19})\\"/.exec(link)?.[1]).filter((id) => id !== undefined);
  return [...new Set(ids.filter(isId))].slice(0, MAX_LINKED);
}
