import { z } from 'zod';
import type { Visibility } from '../../src/events/accounts.ts';
import { statusStream, type QuotePolicy, type StatusCreated } from '../../src/events/statuses.ts';
import type { EventOf } from '../../src/kernel/event.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { justPostedText, postingFacts, statusText, type PostingFacts } from '../../queries/statuses/index.ts';
import { scheduledStatusSchema, statusSchema } from '../../src/mastodon/schemas/index.ts';
import { decideContent, handlesIn, wordsOf } from './content.ts';
import { decidePoll } from './poll.ts';
import { newQuote } from './quotes.ts';
import { schedulingMoment, schedulePost } from './schedule.ts';
import { postedBefore, releaseUnused } from './posted-before.ts';
import { checkMentions, checkQuote, postInput, type Author, type PostInput } from './post-input.ts';
import { checkParent, postOrRequest } from './requests.ts';
import { status } from './status.ts';
import { throwWithAccounts } from './unexpected-mentions.ts';
import { onBehalfOf, withMedia } from './with-media.ts';
import type { MediaAttachmentData } from '../../src/events/media-attachment.ts';

export interface PostStatus {
  id: string;
  pollId: string;
  now: string;
  account: { id: string; username: string };
  origin: string;
  application: { id: string; name: string; website: string | null } | null;
  media: MediaAttachmentData[];
  input: PostInput;
}

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
    const facts = await gather(ctx, author, input);
    const post = { id, pollId: input.poll ? ctx.newId() : id, input };
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
      const { position, state } = await ctx.execute(statusStream(id), status, () => first, { isNew: true });
      if (ctx.repeated) await releaseUnused(ctx, state, claim.ids);
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
  const facts = await gather(ctx, author, input);
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

async function gather(ctx: CommandContext, author: Author, input: PostInput) {
  const handles = handlesIn(input, input.quoted_status_id != null);
  // The other post may be one that the user has just written.
  if (input.in_reply_to_id != null || input.quoted_status_id != null) await ctx.waitForReadModels();
  return postingFacts(ctx.db, ctx.instance, {
    accountId: author.id,
    applicationId: author.applicationId,
    inReplyToId: input.in_reply_to_id ?? null,
    quotedId: input.quoted_status_id ?? null,
    handles,
  });
}

/** Decides a new post. Pure. */
export function decideCreate(command: PostStatus, facts: PostingFacts): [EventOf<typeof StatusCreated>] {
  const { id, now, account, origin, input, media } = command;
  const { parent, quoted } = facts;
  checkParent(input, parent);
  const quotes = input.quoted_status_id != null;
  const words = wordsOf(input, { quotes, sensitive: facts.defaults.sensitive });
  const content = decideContent(words, input, {
    origin,
    mentioned: facts.mentioned,
    language: facts.defaults.language,
    media,
    poll: input.poll ? decidePoll(command.pollId, input.poll, now) : null,
    quotes,
    quotedUrl: quoted?.url,
  });
  const visibility = visibilityOf(input, facts);
  checkMentions(input, content.mentions, account.id);
  checkQuote(input, facts, account.id, visibility, content.mentions);
  const self = `${origin}/users/${account.username}`;
  return [
    {
      type: 'StatusCreated',
      data: {
        ...content,
        id,
        account_id: account.id,
        local: true,
        uri: `${self}/statuses/${id}`,
        url: `${origin}/@${account.username}/${id}`,
        created_at: now,
        visibility,
        in_reply_to_id: parent?.id ?? null,
        in_reply_to_account_id: parent ? answered(parent, account.id) : null,
        conversation_id: parent?.conversation_id ?? id,
        quote: quoted ? newQuote(quoted, account.id) : null,
        quote_policy: quotePolicyOf(input, facts, visibility),
        application: command.application,
      },
    },
  ];
}

/** A reply to one's own reply keeps the original recipient. */
const answered = (parent: NonNullable<PostingFacts['parent']>, authorId: string): string =>
  parent.account_id === authorId ? (parent.in_reply_to_account_id ?? authorId) : parent.account_id;

function visibilityOf(input: PostInput, facts: PostingFacts): Visibility {
  const wanted = input.visibility ?? facts.defaults.privacy;
  // A quote of a followers-only post is itself limited to followers.
  const narrowed = facts.quoted?.visibility === 'private' && (wanted === 'public' || wanted === 'unlisted');
  return narrowed ? 'private' : wanted;
}

const quotePolicyOf = (input: PostInput, facts: PostingFacts, visibility: Visibility): QuotePolicy =>
  visibility === 'public' || visibility === 'unlisted'
    ? (input.quote_approval_policy ?? facts.defaults.quote_policy)
    : 'nobody';
