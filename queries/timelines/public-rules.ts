import { pageNotMutedBy, pageVisibleTo } from '../statuses/index.ts';
import { discoverableBy } from '../visibility/accounts.ts';

/*
 * The rules of timelines that are the same for all viewers, as conditions on a status `s` with `PAGE_JOINS`.
 * All arguments are SQL expressions.
 */

/** Public timelines have no reblogs, and no replies to others. */
export const PUBLIC_POST = `s.visibility = 'public' and s.reblog_of_id is null and not s.deleted
      and (s.in_reply_to_account_id is null and s.in_reply_to_uri is null or s.in_reply_to_account_id = s.account_id)`;

/** The rules for each viewer; checked row by row, in the order of the page. */
export const shownInPublic = (reader: string): string =>
  `(s.visibility = 'public' and ${discoverableBy(reader)} and ${pageVisibleTo(reader)} and ${pageNotMutedBy(reader)}) is true`;

/** Local or remote posts; null means both. */
export const postedHere = (local: string): string => `(${local}::boolean is null or s.local = ${local})`;

/** Only posts with media, if requested. */
export const withMedia = (asked: string): string => `(not ${asked}::boolean or s.media is not null)`;

/** Posts in some languages, and posts without a language; null means all. */
export const inLanguages = (languages: string): string =>
  `(${languages}::text[] is null or s.language is null or s.language = any(${languages}))`;

/** Posts that have all of some hashtags, and none of others; both are arrays. */
export const taggedBesides = (all: string, none: string): string => `not exists (
          select from unnest(${all}::text[]) as q (tag)
          where not exists (select from status_tags u where u.tag = q.tag and u.status_id = s.id))
        and not exists (select from status_tags u where u.tag = any(${none}::text[]) and u.status_id = s.id)`;
