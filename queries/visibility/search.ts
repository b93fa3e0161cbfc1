import { metBy } from './accounts.ts';

/*
 * What a reader finds by searching for words, as conditions on `status_search`, given its alias; whether he may see it is to be
 * asked besides. `viewer` is an SQL expression for his account id. About `offset 0` see `pairs.ts`.
 */

/** Of public posts: those of accounts that let everybody find them, here or elsewhere, and that the reader would meet. */
export const foundByAnybody = (viewer: string, found: string): string =>
  `exists (select from accounts fnd where fnd.id = ${found}.account_id and fnd.indexable and ${metBy(viewer, 'fnd')} offset 0)`;

/** What the reader has favourited, bookmarked or reblogged. */
export const touchedBy = (viewer: string, found: string): string =>
  `${found}.status_id in (select tch.status_id from interactions tch where tch.account_id = ${viewer}::bigint
     and coalesce(tch.favourite_id, tch.bookmark_id, tch.reblog_id) is not null)`;

/** Where the reader has voted. */
export const votedBy = (viewer: string, found: string): string =>
  `exists (select from poll_votes vot where vot.poll_id = ${found}.poll_id and vot.account_id = ${viewer}::bigint offset 0)`;

/**
 * Whether a hashtag is to be found: one that a post for everybody carries, or that the reader follows or features. Names that
 * stand in private posts only are nobody else's business. `tag` is an SQL expression.
 */
export const tagShownTo = (viewer: string, tag: string): string => `(exists (
    select from status_tags tgd join statuses pub on pub.id = tgd.status_id
    where tgd.tag = ${tag} and pub.visibility in ('public', 'unlisted') and not pub.deleted offset 0)
  or exists (select from tag_follows fol where fol.account_id = ${viewer}::bigint and fol.tag = ${tag} offset 0)
  or exists (select from featured_tags fea where fea.account_id = ${viewer}::bigint and fea.tag = ${tag} offset 0))`;
