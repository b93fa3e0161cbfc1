import { z } from 'zod';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import { type StatusCreated, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import type { EventOf } from '#kernel/event.ts';
import { MAIN } from '#kernel/projection.ts';
import { scheduledStatusSchema, statusSchema } from '#mastodon/schemas/index.ts';
import {
  justPostedText,
  type PostingAuthor,
  type PostingFacts,
  postingFacts,
  statusText,
} from '#queries/statuses/index.ts';
import { checkAddressees, checkHandles, meetNamed, type Named } from '../mentions/index.ts';
import { composed, type PostStatus } from './compose.ts';
import { handlesIn } from './content.ts';
import { type Author, type PostInput, postInput } from './post-input.ts';
import { postedBefore } from './posted-before.ts';
import { postOrRequest } from './requests.ts';
import { checkScheduledRoom, schedulePost, schedulingMoment } from './schedule.ts';
import { status } from './status.ts';
import { throwWithAccounts } from './unexpected-mentions.ts';
import { releaseUnused } from './unused-media.ts';
import { onBehalfOf, withMedia } from './with-media.ts';

export const createStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses',
  summary: 'Post a status',
  auth: 'user',
  scopes: ['write:statuses'],
  body: postInput,
  requires: [['status', 'spoiler_text', 'media_ids', 'quoted_status_id']],
  longTexts: true,
  limit: 'statuses',
  idempotentByKey: true,
  // The facts about the author do not depend on their earlier posts; only a reply and a quote wait for
  // another post.
  reads: [],
  defers: [MAIN],
  reply: z.union([statusSchema, scheduledStatusSchema]),
  errors: [404],
  handler: async (ctx, { body: input }) => {
    const { account_id, username } = ctx.viewer;
    const id = ctx.newId();
    const earlier = ctx.repeated ? await postedBefore(ctx, id) : undefined;
    if (earlier !== undefined) return { text: earlier };
    const author = { id: account_id, username, applicationId: ctx.token.application_id };
    const scheduledAt = schedulingMoment(input.scheduled_at, ctx.now);
    const post = { id, pollId: input.poll ? ctx.newId() : id, input };
    const facts = await gather(ctx, author, post, scheduledAt);
    const decide = (media: MediaAttachmentData[]) =>
      decideCreate(commandFor(ctx, author, facts, { ...post, media }), facts);
    const claim = {
      ids: input.media_ids ?? [],
      statusId: id,
      check: (media: MediaAttachmentData[]) => void decide(media),
    };
    return withMedia(ctx, claim, async (media) => {
      const events = decide(media);
      if (scheduledAt !== undefined) {
        return {
          text: await schedulePost(ctx, author, events, {
            input,
            quotePolicy: facts.defaults.quote_policy,
            scheduledAt,
          }),
        };
      }
      const first = postOrRequest(events, facts);
      const { position } = await ctx.execute(statusStream(id), status, () => first, { isNew: true });
      // Another request with the same key may have stored its post without them.
      if (ctx.repeated) await releaseUnused(ctx, claim.ids, id);
      const made = ctx.repeated
        ? undefined
        : justPostedText(ctx, { post: events[0].data, position }, facts.author);
      if (made !== undefined) return { text: made };
      await ctx.waitForReadModels();
      return { text: await statusText(ctx, id) };
    }).catch((error: unknown) => throwWithAccounts(ctx, error));
  },
});

export interface NewPost {
  id: string;
  pollId: string;
  input: PostInput;
}

/**
 * Posts once under the id, however often it is called: from a web page, or a scheduled post, named by `from`.
 * @throws RookeryError as the endpoint
 */
export async function createPost(
  ctx: CommandContext,
  author: Author,
  post: NewPost,
  from?: string,
): Promise<void> {
  const { id, input } = post;
  const facts = await gather(ctx, author, post);
  const claim = { ids: input.media_ids ?? [], statusId: id, ...(from === undefined ? {} : { from }) };
  await withMedia(onBehalfOf(ctx, author.id), claim, async (media) => {
    const command = commandFor(ctx, author, facts, { ...post, media });
    await ctx.execute(statusStream(id), status, (state) =>
      state.state === 'none' ? postOrRequest(decideCreate(command, facts), facts) : [],
    );
  });
}

const commandFor = (
  ctx: CommandContext,
  { id, username }: Author,
  { application }: PostingFacts,
  post: NewPost & { media: MediaAttachmentData[] },
): PostStatus => ({
  ...post,
  now: ctx.now,
  account: { id, username },
  origin: ctx.instance.origin,
  application,
});

type Gathered = PostingFacts & { author: PostingAuthor | undefined } & Pick<Named, 'awaited'>;

async function gather(
  ctx: CommandContext,
  author: Author,
  post: NewPost,
  scheduledAt?: string,
): Promise<Gathered> {
  const { input } = post;
  const handles = handlesIn(input, input.quoted_status_id != null);
  // The other post may be one that the user has just written.
  if (input.in_reply_to_id != null || input.quoted_status_id != null) await ctx.waitForReadModels();
  const facts = await postingFacts(ctx.db, ctx.instance, {
    accountId: author.id,
    applicationId: author.applicationId,
    inReplyToId: input.in_reply_to_id ?? null,
    quotedId: input.quoted_status_id ?? null,
    handles,
  });
  const check = async (): Promise<void> => {
    checkHandles(composed(commandFor(ctx, author, facts, { ...post, media: [] }), facts));
    if (scheduledAt !== undefined) await checkScheduledRoom(ctx, author.id, { id: post.id, scheduledAt });
  };
  return { ...facts, ...(await meetNamed(ctx, handles, { known: facts, by: author.id, check })) };
}

/** Decides a new post. Pure. */
export function decideCreate(
  command: PostStatus,
  facts: PostingFacts & Partial<Pick<Named, 'awaited'>>,
): [EventOf<typeof StatusCreated>] {
  const data = composed(command, facts);
  checkAddressees(data, { unknown: facts.unknown, awaited: facts.awaited ?? [] });
  return [{ type: 'StatusCreated', data }];
}
