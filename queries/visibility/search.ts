import { discoverableBy } from './accounts.ts';

/*
 * What a reader finds by searching for words, as conditions on `status_search`, given its alias; whether he may see it is to be
 * asked besides. `viewer` is an SQL expression for his account id. About `offset 0` see `pairs.ts`.
 */

/**
 * Of those that are `open`, posts of accounts that the reader would meet. The account is asked as well: what somebody no longer
 * wants to be found is not found from then on, although the index may learn of it a moment later.
 */
export const foundByAnybody = (viewer: string, found: string): string =>
  `(${found}.open and exists (
     select from accounts fnd where fnd.id = ${found}.account_id and fnd.indexable and ${discoverableBy(viewer, 'fnd')} offset 0))`;

/** What has to do with the reader: what he wrote, where he is mentioned or voted, what he favourited, bookmarked or reblogged. */
export const foundByReader = (viewer: string, found: string): readonly string[] => {
  const me = `${viewer}::bigint`;
  return [
    `${found}.account_id = ${me}`,
    `${found}.status_id in (select men.status_id from status_mentions men where men.account_id = ${me})`,
    `${found}.status_id in (select pol.status_id from poll_votes vot join polls pol on pol.id = vot.poll_id where vot.account_id = ${me})`,
    `${found}.status_id in (select tch.status_id from interactions tch where tch.account_id = ${me}
       and coalesce(tch.favourite_id, tch.bookmark_id, tch.reblog_id) is not null)`,
  ];
};

/**
 * Whether a hashtag is to be found: one that a post for everybody carries, or that the reader follows or features. Names that
 * stand in private posts only are nobody else's business. `tag` is an SQL expression.
 */
export const tagShownTo = (viewer: string, tag: string): string => `(exists (
    select from status_tags tgd join statuses pub on pub.id = tgd.status_id
    where tgd.tag = ${tag} and pub.visibility in ('public', 'unlisted') and not pub.deleted offset 0)
  or exists (select from tag_follows fol where fol.account_id = ${viewer}::bigint and fol.tag = ${tag} offset 0)
  or exists (select from featured_tags fea where fea.account_id = ${viewer}::bigint and fea.tag = ${tag} offset 0))`;
