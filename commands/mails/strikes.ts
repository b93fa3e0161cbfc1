export { WORDS_OF_STRIKES } from '#mastodon/strike-words.ts';

/** Returns the path of a strike's page, as in Mastodon. */
export const strikePath = (id: string): string => `/disputes/strikes/${id}`;
