import { TrendReviewed, TrendReviewsRequested, type TrendSubject } from '#events/trends.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';

const REVIEW = statement(
  'trend_reviews_write',
  `insert into trend_reviews as r (subject, key, trendable, reviewed_at)
   select * from unnest($1::text[], $2::text[], $3::bool[], $4::timestamptz[])
   on conflict (subject, key) do update set trendable = coalesce(excluded.trendable, r.trendable),
     reviewed_at = coalesce(excluded.reviewed_at, r.reviewed_at)`,
);

interface Review {
  subject: TrendSubject;
  key: string;
  /** Null when staff were only asked. */
  trendable: boolean | null;
  time: string | null;
}

/**
 * The latest decision of staff about posts, links and publishers of links, by the keys of their events; null
 * for none yet.
 */
export const trendReviews: Projection = {
  name: 'trend-reviews',
  version: 2,
  group: MAIN,
  tables: {
    trend_reviews: `
      subject text collate "C",
      key text collate "C",
      trendable boolean,
      reviewed_at timestamptz,
      primary key (subject, key)`,
  },
  indexes: [],
  handlers: [
    on(TrendReviewsRequested, {
      keys: ({ data }) => requested(data).map(nameOf),
      apply: (events, db) =>
        write(
          events.flatMap(({ data }) => requested(data)),
          db,
        ),
    }),
    on(TrendReviewed, {
      keys: ({ data }) => [nameOf(data)],
      apply: (events, db) =>
        write(
          events.map(({ data, metadata: { time } }) => ({ ...data, time })),
          db,
        ),
    }),
  ],
};

const nameOf = ({ subject, key }: { subject: TrendSubject; key: string }): string => `${subject}/${key}`;

const requested = (data: { statuses: readonly string[]; links: readonly string[] }): Review[] => [
  ...data.statuses.map((key) => ({ subject: 'status' as const, key, trendable: null, time: null })),
  ...data.links.map((key) => ({ subject: 'link' as const, key, trendable: null, time: null })),
];

async function write(reviews: readonly Review[], db: Db): Promise<void> {
  if (reviews.length === 0) return;
  await db.query(REVIEW, [
    reviews.map(({ subject }) => subject),
    reviews.map(({ key }) => key),
    reviews.map(({ trendable }) => trendable),
    reviews.map(({ time }) => time),
  ]);
}
