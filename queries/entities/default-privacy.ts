/**
 * SQL: the default visibility of a user's posts, with `u` for `users` and `a` for `accounts`. Until the user
 * chooses one, it is followers-only for a locked account, as in Mastodon.
 */
export const DEFAULT_PRIVACY = `coalesce(u.privacy, case when a.locked then 'private' else 'public' end)`;
