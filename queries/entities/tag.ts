import { ORIGIN, urlBelow } from '#mastodon/ready-json.ts';
import { tagId } from '#mastodon/tag-name.ts';
import { historyOf } from './history.ts';

/**
 * The columns for rendering hashtags of a relation with the column `tag`, the normal name (`t.tag`). `viewer`
 * is the SQL parameter of the viewer's account id, or null.
 */
export const tagColumns = (tag: string, viewer: string): string => `
  ${tag} as tag, (select n.display_name from tags n where n.tag = ${tag}) as display_name,
  ${historyOf(`tag_usage u on u.tag = ${tag} and u.day = d.day`)}::text as history,
  exists (select from tag_follows f where f.account_id = ${viewer}::bigint and f.tag = ${tag}) as following,
  exists (select from featured_tags p where p.account_id = ${viewer}::bigint and p.tag = ${tag}) as featuring`;

export interface TagRow {
  tag: string;
  display_name: string | null;
  /** Ready JSON. */
  history: string;
  following: boolean;
  featuring: boolean;
}

/**
 * Returns https://docs.joinmastodon.org/entities/Tag/ as ready JSON without hosts. `asNamed` is the spelling
 * of an unused tag. The viewer's own members need a signed-in viewer.
 */
export function tagJson(row: TagRow, signedIn: boolean, asNamed?: string): string {
  const name = row.display_name ?? asNamed ?? row.tag;
  const own = signedIn ? `,"following":${row.following},"featuring":${row.featuring}` : '';
  return (
    `{"id":"${tagId(row.tag)}","name":${JSON.stringify(name)},` +
    `"url":${urlBelow(ORIGIN, `/tags/${encodeURIComponent(row.tag)}`)},"history":${row.history}${own}}`
  );
}
