import { TagReviewed, TagReviewRequested } from '#events/tags.ts';
import { TrendReviewsRequested } from '#events/trends.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { tagId } from '#mastodon/tag-name.ts';

const REVIEW = statement(
  'tag_reviews_write',
  `insert into tag_reviews as r (tag, id, trendable)
   select * from unnest($1::text[], $2::bigint[], $3::bool[])
   on conflict (tag) do update set trendable = coalesce(excluded.trendable, r.trendable)`,
);

/**
 * The hashtags that staff were asked to review, with their decisions: null for none yet. `id` is the one that
 * clients see.
 */
export const tagReviews: Projection = {
  name: 'tag-reviews',
  version: 2,
  group: MAIN,
  tables: {
    tag_reviews: `
      tag text collate "C" primary key,
      id bigint not null,
      trendable boolean`,
  },
  indexes: ['create index tag_reviews_id on tag_reviews (id)'],
  handlers: [
    on(TagReviewRequested, {
      keys: ({ data }) => [data.tag],
      apply: (events, db) =>
        write(
          events.map(({ data: { tag } }) => ({ tag, trendable: null })),
          db,
        ),
    }),
    on(TrendReviewsRequested, {
      keys: ({ data: { tags } }) => tags.map(({ tag }) => tag),
      apply: (events, db) =>
        write(
          events.flatMap(({ data: { tags } }) => tags.map(({ tag }) => ({ tag, trendable: null }))),
          db,
        ),
    }),
    on(TagReviewed, {
      keys: ({ data }) => [data.tag],
      apply: (events, db) =>
        write(
          events.map(({ data }) => data),
          db,
        ),
    }),
  ],
};

async function write(reviews: readonly { tag: string; trendable: boolean | null }[], db: Db): Promise<void> {
  if (reviews.length === 0) return;
  await db.query(REVIEW, [
    reviews.map(({ tag }) => tag),
    reviews.map(({ tag }) => tagId(tag)),
    reviews.map(({ trendable }) => trendable),
  ]);
}
