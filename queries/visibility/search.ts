import { discoverableBy } from './accounts.ts';

/*
 * The results of a search for words, as conditions on `status_search`, given its alias; visibility is checked
 * in addition. `viewer` is an SQL expression for the viewer's account id. `pairs.ts` explains `offset 0`.
 */

/**
 * For `open` posts: those of accounts that the viewer may discover. The account is checked as well: a change
 * of discoverability takes effect immediately, although the index may learn of it later.
 */
export const foundByAnybody = (viewer: string, found: string): string =>
  `(${found}.open and exists (
     select from accounts fnd where fnd.id = ${found}.account_id and fnd.indexable and ${discoverableBy(viewer, 'fnd')} offset 0))`;

/** Posts related to the viewer: their own, mentions, votes, favourites, bookmarks and reblogs. */
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
 * SQL: true if a hashtag is found: one in a public post, or one that the viewer follows or features. Names in
 * private posts stay private. `tag` is an expression.
 */
export const tagShownTo = (viewer: string, tag: string): string => `(exists (
    select from status_tags tgd join statuses pub on pub.id = tgd.status_id
    where tgd.tag = ${tag} and pub.visibility in ('public', 'unlisted') and not pub.deleted offset 0)
  or exists (select from tag_follows fol where fol.account_id = ${viewer}::bigint and fol.tag = ${tag} offset 0)
  or exists (select from featured_tags fea where fea.account_id = ${viewer}::bigint and fea.tag = ${tag} offset 0))`;
