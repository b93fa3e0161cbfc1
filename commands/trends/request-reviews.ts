import { instanceSettings } from '../../queries/instance/index.ts';
import { unreviewedTags } from '../../queries/trends/index.ts';
import { tagStream } from '../../src/events/tags.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { decideRequestReview, tagReview } from './tag-review.ts';

/** Staff is asked about so many at once, the first ones first: more would not be read. */
const AT_ONCE = 10;

/** Asks staff about trending hashtags that are not reviewed yet, unless they are among the trends without a review. */
export async function requestReviews(ctx: CommandContext, trending: readonly string[]): Promise<void> {
  const { trendable_by_default } = await instanceSettings(ctx.db);
  if (trendable_by_default) return;
  const tags = await unreviewedTags(ctx.db, trending.slice(0, AT_ONCE));
  const among = tags.map(({ name }) => name);
  await Promise.all(
    tags.map((tag) =>
      ctx.execute(tagStream(tag.tag), tagReview, (state) => decideRequestReview(state, { ...tag, among }), {
        step: tag.tag,
      }),
    ),
  );
}
