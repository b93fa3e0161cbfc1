import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import {
  quotePolicy,
  type StatusContent,
  type StatusData,
  type StatusEvent,
  statusStream,
} from '#events/statuses.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams, orNothing } from '#kernel/input.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { accountsOfHandles, quotedUrl, statusText } from '#queries/statuses/index.ts';
import { mediaAttributes } from '../media/index.ts';
import { checkAddressees, checkHandles, meetNamed, type Named } from '../mentions/index.ts';
import { type ContentFacts, contentInput, decideContent, handlesIn, type Words, wordsOf } from './content.ts';
import { withEditedMedia } from './edit-media.ts';
import { decideEditedPoll } from './edit-poll.ts';
import { decideQuotePolicy } from './interaction-policy.ts';
import { requireOwnPost, type Status, status } from './status.ts';

export const editInput = z.object({
  ...contentInput,
  media_attributes: mediaAttributes,
  quote_approval_policy: orNothing(quotePolicy).describe(
    'Who may quote the status: `public`, `followers` or `nobody`; absent, it stays.',
  ),
});
export type EditInput = z.output<typeof editInput>;

export interface EditStatus {
  accountId: string;
  editId: string;
  /** The id of a new poll. */
  pollId: string;
  now: string;
  input: EditInput;
  /** The uploads of the edited post. */
  media: MediaAttachmentData[];
}
export type EditFacts = Pick<ContentFacts, 'origin' | 'quotedUrl'> & Named;

/**
 * https://docs.joinmastodon.org/methods/statuses/#edit: without `language` the language stays. Other absent
 * parameters mean none, including the text, as in Mastodon: clients send the whole post.
 */
export const editStatus = endpoint({
  method: 'PUT',
  path: '/api/v1/statuses/:id',
  summary: 'Edit a status',
  auth: 'user',
  scopes: ['write:statuses'],
  params: idParams,
  body: editInput,
  requires: [['status', 'spoiler_text']],
  longTexts: true,
  limit: 'statuses',
  reply: statusSchema,
  handler: async (ctx, { params: { id }, body: input }) => {
    const accountId = ctx.viewer.account_id;
    const stream = statusStream(id);
    const state = await ctx.load(stream, status);
    const before = requireOwnPost(state, accountId);
    const command = { accountId, pollId: ctx.newId(), now: ctx.now, input };
    const facts = await gather(ctx, state, command);
    // An id for each attempt: after a conflict it must follow that of the faster edit.
    const decide = (current: Status, media: MediaAttachmentData[]) =>
      decideEdit(current, { ...command, editId: ctx.newId(), media }, facts);
    const edit = { before, input, check: (media: MediaAttachmentData[]) => void decide(state, media) };
    await withEditedMedia(ctx, edit, (media) =>
      ctx.execute(stream, status, (current) => decide(current, media)),
    );
    return { text: await statusText(ctx, id) };
  },
});

async function gather(
  ctx: UserContext,
  state: Status,
  command: Omit<EditStatus, 'editId' | 'media'>,
): Promise<EditFacts> {
  const { accountId, input } = command;
  const before = requireOwnPost(state, accountId);
  const { quote } = before;
  const handles = handlesIn(input, quote != null);
  const { instance } = ctx;
  const [known, url] = await Promise.all([
    accountsOfHandles(ctx.db, instance, handles, { authorId: accountId }),
    quote ? quotedUrl(ctx.db, quote.id) : undefined,
  ]);
  const facts = { origin: instance.origin, quotedUrl: url, awaited: [], ...known };
  const check = (): void => {
    const content = contentAfter(state, before, { ...command, editId: before.id, media: [] }, facts);
    checkHandles({ ...content, visibility: before.visibility });
  };
  return { ...facts, ...(await meetNamed(ctx, handles, { known, by: accountId, check })) };
}

/**
 * Returns no event when nothing differs. The quote policy is no part of the post's history. Pure.
 * @throws RookeryError `not_found` for a post of another account, `invalid`
 */
export function decideEdit(state: Status, command: EditStatus, facts: EditFacts): StatusEvent[] {
  const { accountId, editId, now, input } = command;
  const before = requireOwnPost(state, accountId);
  const policy = decideQuotePolicy(state, accountId, input.quote_approval_policy);
  const content = withMark(state, contentAfter(state, before, command, facts));
  if (content.text !== before.text) checkEdited(before, content, facts);
  if (isDeepStrictEqual(content, contentOf(before, content))) return policy;
  const quote_policy = policy[0]?.data.quote_policy ?? before.quote_policy;
  return [
    ...policy,
    { type: 'StatusEdited', data: { ...before, ...content, quote_policy, edit_id: editId, edited_at: now } },
  ];
}

/** A direct post without addressees may still be corrected. */
function checkEdited(before: StatusData, content: StatusContent, facts: EditFacts): void {
  const post = { ...content, visibility: before.visibility };
  if (before.mentions.length === 0 && content.mentions.length === 0) checkHandles(post);
  else checkAddressees(post, facts);
}

/** An unchanged text keeps its form: its mentions were resolved when it was written. */
function contentAfter(
  state: Status,
  before: StatusData,
  { input, media, pollId, now }: EditStatus,
  { origin, mentioned, awaited, quotedUrl }: EditFacts,
): StatusContent {
  const closed = state.state !== 'none' && state.pollClosed;
  const content = decideContent(editedWords(before, input), input, {
    origin,
    mentioned,
    awaited,
    language: before.language,
    media,
    poll: input.poll ? decideEditedPoll({ poll: before.poll, closed }, pollId, input.poll, now) : null,
    quotes: before.quote !== null,
    quotedUrl: before.quote ? quotedUrl : undefined,
  });
  const { text, unresolved_mentions: waited, ...kept } = before;
  const isSame = content.text === text;
  const unresolved = isSame ? waited : (content.unresolved_mentions ?? (waited && []));
  return {
    ...content,
    ...(isSame ? { content: kept.content, mentions: kept.mentions, tags: kept.tags } : {}),
    ...(unresolved ? { unresolved_mentions: unresolved } : {}),
  };
}

/** Returns the words of an edit. As in Mastodon, a warning that becomes the text leaves warning and sensitivity as they are without it. */
function editedWords(before: StatusData, input: EditInput): Words {
  const quotes = before.quote !== null;
  const words = wordsOf(input, { quotes, sensitive: false });
  if ((input.status ?? '').trim() !== '' || quotes) return words;
  return { ...words, spoilerText: before.spoiler_text, sensitive: input.sensitive === true };
}

/** Staff's mark as sensitive outlasts edits by the author. */
export const withMark = <Content extends { sensitive: boolean }>(state: Status, content: Content): Content =>
  state.state !== 'none' && state.mark ? { ...content, sensitive: true } : content;

/** Returns the same members of the earlier post. */
const contentOf = (before: StatusData, content: StatusContent): unknown =>
  Object.fromEntries(Object.keys(content).map((key) => [key, before[key as keyof StatusContent]]));
