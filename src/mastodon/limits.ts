/**
 * Limits on texts, with the figures that apps read from Mastodon's instance endpoint:
 * https://docs.joinmastodon.org/entities/Instance/#configuration. The limits of files are in
 * `media-limits.ts`.
 */

/** Characters of a status: https://docs.joinmastodon.org/user/posting/#text */
export const MAX_CHARACTERS = 500;
/** The characters that a link counts for, however long. */
export const CHARACTERS_PER_URL = 23;

export const POLL_LIMITS = {
  max_options: 4,
  max_characters_per_option: 50,
  /** Seconds. */
  min_expiration: 300,
  max_expiration: 2_629_746,
} as const;

/**
 * Limits of an account. Texts in characters:
 * https://docs.joinmastodon.org/methods/accounts/#update_credentials
 */
export const MAX_DISPLAY_NAME = 40;
export const MAX_NOTE = 500;
export const MAX_FIELDS = 4;
export const MAX_FIELD_TEXT = 255;
/** Characters of the description of an avatar or header. */
export const MAX_PICTURE_DESCRIPTION = 150;
export const MAX_PINNED = 5;
export const MAX_FEATURED_TAGS = 10;
/** Apps read it from the role: https://docs.joinmastodon.org/entities/Role/#collection_limit */
export const MAX_COLLECTIONS = 10;
