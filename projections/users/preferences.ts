import { UserPreferencesChanged } from '#events/accounts.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const CHANGE_PREFERENCES = statement(
  'users_change_preferences',
  `update users u set
     locale = coalesce(n.locale, u.locale),
     privacy = coalesce(n.privacy, u.privacy),
     sensitive = coalesce(n.sensitive, u.sensitive),
     language = case when n.sets_language then n.language else u.language end,
     quote_policy = coalesce(n.quote_policy, u.quote_policy),
     expand_media = coalesce(n.expand_media, u.expand_media),
     expand_spoilers = coalesce(n.expand_spoilers, u.expand_spoilers),
     aggregate_reblogs = coalesce(n.aggregate_reblogs, u.aggregate_reblogs),
     autoplay_gifs = coalesce(n.autoplay_gifs, u.autoplay_gifs)
   from unnest($1::bigint[], $2::text[], $3::text[], $4::bool[], $5::bool[], $6::text[], $7::text[],
     $8::text[], $9::bool[], $10::bool[], $11::bool[])
     as n (account_id, locale, privacy, sensitive, sets_language, language, quote_policy, expand_media, expand_spoilers,
       aggregate_reblogs, autoplay_gifs)
   where u.account_id = n.account_id`,
);

/** The preferences of users; events have only changed ones. */
export const preferencesHandler: BoundHandler = on(UserPreferencesChanged, {
  keys: ({ data }) => [data.account_id],
  apply: async (events, db) => {
    await db.query(CHANGE_PREFERENCES, [
      events.map(({ data }) => data.account_id),
      events.map(({ data }) => data.locale ?? null),
      events.map(({ data }) => data.privacy ?? null),
      events.map(({ data }) => data.sensitive ?? null),
      events.map(({ data }) => data.language !== undefined),
      events.map(({ data }) => data.language ?? null),
      events.map(({ data }) => data.quote_policy ?? null),
      events.map(({ data }) => data.expand_media ?? null),
      events.map(({ data }) => data.expand_spoilers ?? null),
      events.map(({ data }) => data.aggregate_reblogs ?? null),
      events.map(({ data }) => data.autoplay_gifs ?? null),
    ]);
  },
});
