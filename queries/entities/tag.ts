import { ORIGIN, urlBelow } from '../../src/kernel/ready-json.ts';
import { tagId } from '../../src/kernel/tag-name.ts';

/** Today and the six days before, as Mastodon. */
const HISTORY_DAYS = 7;

/**
 * What a statement selects to render hashtags, for a relation that gives the column `tag`, the normal name (`t.tag`). `viewer`
 * is the SQL parameter of the reader's account id, or null.
 */
export const tagColumns = (tag: string, viewer: string): string => `
  ${tag} as tag, (select n.display_name from tags n where n.tag = ${tag}) as display_name,
  (select json_agg(json_build_object(
       'day', extract(epoch from d.day)::bigint::text,
       'uses', coalesce(u.uses, 0)::text,
       'accounts', coalesce(u.accounts, 0)::text) order by d.day desc)::text
     from (select (now() at time zone 'utc')::date - back as day from generate_series(0, ${HISTORY_DAYS - 1}) back) d
     left join tag_usage u on u.tag = ${tag} and u.day = d.day) as history,
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
 * https://docs.joinmastodon.org/entities/Tag/ as ready JSON, hosts still to be filled in. `asNamed` is for a tag that nobody has
 * spelled yet. What the reader has to do with it is for a signed-in one only.
 */
export function tagJson(row: TagRow, signedIn: boolean, asNamed?: string): string {
  const name = row.display_name ?? asNamed ?? row.tag;
  const own = signedIn ? `,"following":${row.following},"featuring":${row.featuring}` : '';
  return (
    `{"id":"${tagId(row.tag)}","name":${JSON.stringify(name)},` +
    `"url":${urlBelow(ORIGIN, `/tags/${encodeURIComponent(row.tag)}`)},"history":${row.history}${own}}`
  );
}
