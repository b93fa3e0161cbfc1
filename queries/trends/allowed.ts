/** Whether things that staff has not reviewed may be among the trends. */
export const TRENDABLE_BY_DEFAULT = `coalesce(
  (select (i.settings->>'trendable_by_default')::boolean from instance_settings i where i.id = 1), false)`;

const reviewOf = (subject: 'status' | 'link', key: string): string =>
  `(select v.trendable from trend_reviews v where v.subject = '${subject}' and v.key = ${key})`;

/** The decision about the closest publisher: that of a host, or of a domain above it. */
export const publisherReview = (host: string): string => `(
  select v.trendable from string_to_array(${host}, '.') labels cross join generate_subscripts(labels, 1) first
  join trend_reviews v on v.subject = 'publisher' and v.key = array_to_string(labels[first:], '.')
  order by first limit 1)`;

/** The decision of staff about a post; null for none. `id` is an SQL expression. */
export const statusReview = (id: string): string => reviewOf('status', `(${id})::text`);

/** The decision of staff about a link, else about its publisher; null for none. `hash` is SHA-256 in hexadecimal. */
export const linkReview = (hash: string, host: string): string =>
  `coalesce(${reviewOf('link', hash)}, ${publisherReview(host)})`;

/** Whether a review, or else the setting, lets something be among the trends. */
export const allows = (review: string): string => `coalesce(${review}, ${TRENDABLE_BY_DEFAULT})`;

/** The id that clients see: the first 63 bits of a SHA-256 in hexadecimal, as of `tagId`. */
export const idOfHash = (hash: string): string =>
  `((('x' || left(${hash}, 16))::bit(64)::bigint >> 1) & 9223372036854775807)`;
