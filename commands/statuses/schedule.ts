import {
  type ScheduledParams,
  type ScheduledStatusData,
  scheduledStatusStream,
} from '#events/scheduled-statuses.ts';
import type { QuotePolicy, StatusCreated } from '#events/statuses.ts';
import type { CommandContext, UserContext } from '#kernel/context.ts';
import type { EventOf } from '#kernel/event.ts';
import { requiredMoment } from '#kernel/moments.ts';
import { languageCode } from '#mastodon/language.ts';
import { scheduledStatusText } from '#queries/scheduled-statuses/index.ts';
import { executeWithinQuota } from '../quotas/index.ts';
import { checkMoment, decideSchedule, scheduledQuota, scheduledStatus } from '../scheduled-statuses/index.ts';
import type { Author, PostInput } from './post-input.ts';

/**
 * Returns the time of publication, or undefined for immediately: without a time, and for a past one.
 * @throws RookeryError `invalid` for text that is no date, and for a time that is too near or in doubt
 */
export function schedulingMoment(text: string | null | undefined, now: string): string | undefined {
  if (!text) return undefined;
  const moment = requiredMoment(text, { now, refusal: 'Record invalid' });
  if (moment <= now) return undefined;
  checkMoment(moment, now);
  return moment;
}

/**
 * Checks the quota before work that costs requests; the claim of `schedulePost` decides. @throws RookeryError
 * `invalid`
 */
export async function checkScheduledRoom(
  ctx: CommandContext,
  authorId: string,
  { id, scheduledAt }: { id: string; scheduledAt: string },
): Promise<void> {
  await ctx.waitForReadModels();
  const { held, check } = scheduledQuota(ctx.db, authorId, { at: scheduledAt, isNew: true });
  const items = [{ id, day: scheduledAt.slice(0, 10) }];
  check(await held(items), items);
}

/**
 * Stores a post for later. The event is the post as it would be now, so that its errors show now.
 * @returns the ScheduledStatus as JSON text
 */
export async function schedulePost(
  ctx: UserContext,
  author: Author,
  [{ data: post }]: [EventOf<typeof StatusCreated>],
  { input, quotePolicy, scheduledAt }: { input: PostInput; quotePolicy: QuotePolicy; scheduledAt: string },
): Promise<string> {
  const { id, media, visibility } = post;
  const data: ScheduledStatusData = {
    id,
    account_id: author.id,
    application_id: ctx.token.application_id,
    scheduled_at: scheduledAt,
    params: { ...paramsOf(input, quotePolicy), visibility },
    media,
  };
  // The reads of posting wait for nothing; the quota must count earlier scheduled posts of the user.
  await ctx.waitForReadModels();
  await executeWithinQuota(ctx, {
    stream: scheduledStatusStream(id),
    decider: scheduledStatus,
    decide: (state) => decideSchedule(state, data),
    isNew: true,
    quota: scheduledQuota(ctx.db, author.id, { at: scheduledAt, isNew: true }),
  });
  return scheduledStatusText(ctx, id);
}

const paramsOf = (input: PostInput, quotePolicy: QuotePolicy): Omit<ScheduledParams, 'visibility'> => ({
  text: input.status ?? '',
  spoiler_text: input.spoiler_text ?? null,
  sensitive: input.sensitive ?? null,
  language: languageCode(input.language),
  in_reply_to_id: input.in_reply_to_id ?? null,
  poll: input.poll
    ? {
        options: input.poll.options,
        expires_in: input.poll.expires_in ?? 0,
        multiple: input.poll.multiple === true,
        hide_totals: input.poll.hide_totals === true,
      }
    : null,
  quoted_status_id: input.quoted_status_id ?? null,
  quote_approval_policy: input.quote_approval_policy ?? quotePolicy,
  allowed_mentions: input.allowed_mentions ?? null,
});

/** Returns the input that publishes it. */
export function inputOf({ params, media }: ScheduledStatusData): PostInput {
  const { text, poll, allowed_mentions, ...rest } = params;
  return {
    ...rest,
    status: text,
    media_ids: media.map(({ id }) => id),
    ...(poll === null ? {} : { poll }),
    ...(allowed_mentions === null ? {} : { allowed_mentions }),
  };
}
