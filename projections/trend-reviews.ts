import { TrendReviewed, TrendReviewsRequested, type TrendSubject } from '#events/trends.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { boolean, table, tablesOf, textC, timestamptz } from '#kernel/table/index.ts';

const REVIEWS = table(
  'trend_reviews',
  {
    subject: textC,
    key: textC,
    /** Null when staff were only asked. */
    trendable: boolean.orNull,
    reviewed_at: timestamptz.orNull,
  },
  ['subject', 'key'],
);

interface Subject {
  subject: TrendSubject;
  key: string;
}

const nameOf = ({ subject, key }: Subject): string => `${subject}/${key}`;

const requested = (data: { statuses: readonly string[]; links: readonly string[] }): Subject[] => [
  ...data.statuses.map((key) => ({ subject: 'status' as const, key })),
  ...data.links.map((key) => ({ subject: 'link' as const, key })),
];

/**
 * The latest decision of staff about posts, links and publishers of links, by the keys of their events; null
 * for none yet.
 */
export const trendReviews: Projection = {
  name: 'trend-reviews',
  version: 2,
  group: MAIN,
  tables: tablesOf(REVIEWS),
  indexes: [],
  handlers: [
    on(TrendReviewsRequested, {
      keys: ({ data }) => requested(data).map(nameOf),
      apply: REVIEWS.add('subject', 'key').each(({ data }) => requested(data)),
    }),
    on(TrendReviewed, {
      keys: ({ data }) => [nameOf(data)],
      apply: REVIEWS.put().each(({ data, metadata: { time } }) => ({ ...data, reviewed_at: time })),
    }),
  ],
};
