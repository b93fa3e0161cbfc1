export { WORDS_OF_STRIKES } from '#mastodon/strike-words.ts';

/** Returns the path of a strike's page, as in Mastodon. */
export const strikePath = <const Id extends string>(id: Id) => `/disputes/strikes/${id}` as const;
