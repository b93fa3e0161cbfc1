/** SQL: true if unreviewed things may be among the trends. */
export const TRENDABLE_BY_DEFAULT = `coalesce(
  (select (i.settings->>'trendable_by_default')::boolean from instance_settings i where i.id = 1), false)`;

const reviewOf = (subject: 'status' | 'link', key: string): string =>
  `(select v.trendable from trend_reviews v where v.subject = '${subject}' and v.key = ${key})`;

/** SQL: the decision about the closest publisher: a host, or a domain above it. */
export const publisherReview = (host: string): string => `(
  select v.trendable from string_to_array(${host}, '.') labels cross join generate_subscripts(labels, 1) first
  join trend_reviews v on v.subject = 'publisher' and v.key = array_to_string(labels[first:], '.')
  order by first limit 1)`;

/** SQL: the decision of staff about a post; null for none. `id` is an expression. */
export const statusReview = (id: string): string => reviewOf('status', `(${id})::text`);

/**
 * SQL: the decision of staff about a link, or else about its publisher; null for none. `hash` is SHA-256 in
 * hexadecimal.
 */
export const linkReview = (hash: string, host: string): string =>
  `coalesce(${reviewOf('link', hash)}, ${publisherReview(host)})`;

/** SQL: true if a review, or else the setting, allows something among the trends. */
export const allows = (review: string): string => `coalesce(${review}, ${TRENDABLE_BY_DEFAULT})`;

/** The id that clients see: the first 63 bits of a SHA-256 in hexadecimal, like `tagId`. */
export const idOfHash = (hash: string): string =>
  `((('x' || left(${hash}, 16))::bit(64)::bigint >> 1) & 9223372036854775807)`;
