import { TagReviewed, TagReviewRequested } from '#events/tags.ts';
import { TrendReviewsRequested } from '#events/trends.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { bigint, boolean, table, tablesOf, textC } from '#kernel/table/index.ts';
import { tagId } from '#mastodon/tag-name.ts';

const REVIEWS = table(
  'tag_reviews',
  {
    tag: textC,
    /** The id that clients see. */
    id: bigint,
    trendable: boolean.orNull,
  },
  ['tag'],
);

const asked = ({ tag }: { tag: string }): { tag: string; id: string; trendable: null } => ({
  tag,
  id: tagId(tag),
  trendable: null,
});

/** The hashtags that staff were asked to review, with their decisions: null for none yet. */
export const tagReviews: Projection = {
  name: 'tag-reviews',
  version: 2,
  group: MAIN,
  tables: tablesOf(REVIEWS),
  indexes: ['create index tag_reviews_id on tag_reviews (id)'],
  handlers: [
    on(TagReviewRequested, {
      keys: ({ data }) => [data.tag],
      apply: REVIEWS.add().each(({ data }) => asked(data)),
    }),
    on(TrendReviewsRequested, {
      keys: ({ data: { tags } }) => tags.map(({ tag }) => tag),
      apply: REVIEWS.add().each(({ data: { tags } }) => tags.map(asked)),
    }),
    on(TagReviewed, {
      keys: ({ data }) => [data.tag],
      apply: REVIEWS.put().each(({ data: { tag, trendable } }) => ({ tag, id: tagId(tag), trendable })),
    }),
  ],
};
