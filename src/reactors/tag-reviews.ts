import { mailTagReview } from '../../commands/trends/index.ts';
import { TagReviewRequested } from '../events/tags.ts';
import { MAIN } from '../kernel/projection.ts';
import { reactor } from '../kernel/reactor.ts';

/** Staff hears of a hashtag that begins to trend and waits for a decision. */
export const tagReviewMails = reactor({
  name: 'tag-reviews',
  on: [TagReviewRequested],
  react: async (ctx, { data }) => {
    await ctx.settle([MAIN]);
    await mailTagReview(ctx, data);
  },
});
