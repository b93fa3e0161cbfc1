const DAY = 86_400_000;
/** The days whose score still counts, and the day before the first of them. */
const MAX_DAYS = 4;
/**
 * As in Mastodon: the minimum number of accounts in one day, the half-life of the score (hours), the minimum
 * score.
 */
export const MIN_ACCOUNTS = 5;
const COOLDOWN = 48;
const MIN_SCORE = 1;

/** Returns the start of the days that `trendingKeys` reads, in milliseconds since 1970. */
export const firstDay = (now: string): number => Date.parse(now) - MAX_DAYS * DAY;

/**
 * Selects things that more accounts use in one day (UTC) than in the day before, as `key`, highest score first. The score is that of
 * Mastodon; it is highest when the last account of the day comes, and halves each `halfLife` hours from then. `counted` is a relation
 * of `key`, `day`, `observed` (accounts) and `peak_at`; $1 is the time.
 */
export const trendingKeys = (counted: string, halfLife: number, max: number): string => `
  select key from (
    select c.key, (c.observed - e.expected) ^ 2 / e.expected
      * 0.5 ^ greatest(0, extract(epoch from $1::timestamptz - c.peak_at) / 3600 / ${halfLife}) as score
    from ${counted} c left join ${counted} y on y.key = c.key and y.day = c.day - 1
    cross join lateral (select greatest(1, coalesce(y.observed, 0))::numeric as expected) e
    where c.observed >= ${MIN_ACCOUNTS} and c.observed >= e.expected
      and c.peak_at >= $1::timestamptz - interval '${COOLDOWN} hours'
  ) scored
  group by key having max(score) >= ${MIN_SCORE} order by max(score) desc, key limit ${max}`;
