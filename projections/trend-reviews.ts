import { TrendReviewed } from '../src/events/trends.ts';
import { MAIN, on, type Projection } from '../src/kernel/projection.ts';
import { statement } from '../src/kernel/read.ts';

const REVIEW = statement(
  'trend_reviews_write',
  `insert into trend_reviews (subject, key, trendable, reviewed_at)
   select * from unnest($1::text[], $2::text[], $3::bool[], $4::timestamptz[])
   on conflict (subject, key) do update set trendable = excluded.trendable, reviewed_at = excluded.reviewed_at`,
);

/** The latest decision of staff about posts, links and publishers of links, by the keys of their events. */
export const trendReviews: Projection = {
  name: 'trend-reviews',
  version: 1,
  group: MAIN,
  tables: {
    trend_reviews: `
      subject text collate "C",
      key text collate "C",
      trendable boolean not null,
      reviewed_at timestamptz not null,
      primary key (subject, key)`,
  },
  indexes: [],
  handlers: [
    on(TrendReviewed, {
      keys: ({ data: { subject, key } }) => [`${subject}/${key}`],
      apply: async (events, db) => {
        const reviews = events.map(({ data }) => data);
        await db.query(REVIEW, [
          reviews.map(({ subject }) => subject),
          reviews.map(({ key }) => key),
          reviews.map(({ trendable }) => trendable),
          events.map(({ metadata }) => metadata.time),
        ]);
      },
    }),
  ],
};
