import { isDeepStrictEqual } from 'node:util';
import { describedMedia, type MediaAttachmentData } from '#events/media-attachment.ts';
import {
  type PollQuestion,
  type StatusContent,
  type StatusData,
  type StatusEvent,
  statusStream,
} from '#events/statuses.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import type { Id } from '#kernel/ids.ts';
import {
  askedAnew,
  decideDelete,
  decidePin,
  decideUnpin,
  pinQuota,
  type PollTally,
  type Status,
  status,
  withMark,
} from '../statuses/index.ts';
import { useCase } from '../use-case.ts';
import { identifiedVideos } from './identified-videos.ts';

/* Each action has a step of its own: the same activity may have introduced the post. */

/** A remote post and its author. */
export interface RemoteOwn {
  id: Id;
  accountId: Id;
}

/** The present content of a post. */
export interface RemoteEdit extends RemoteOwn {
  content: StatusContent;
  /** ISO 8601. */
  editedAt: string;
}

/** Applies an author's edit of a remote post. */
export const editRemoteStatus = useCase({
  stream: ({ id }: RemoteEdit) => statusStream(id),
  decider: status,
  // An id for each attempt: after a conflict it must follow that of the faster edit.
  gather: async (ctx, { content }, state) => ({
    editId: ctx.newId(),
    media: await identifiedVideos(ctx, content.media, state.state === 'visible' ? state.data.media : []),
  }),
  decide: (state, edit, { editId, media }) =>
    decideRemoteEdit(state, { ...edit, content: { ...edit.content, media }, editId }),
  step: () => 'edit',
});

/**
 * Returns no event when nothing differs, and when a later edit is known. Attachments keep their ids, and so
 * does a poll with the same options, with its votes. Pure.
 */
export function decideRemoteEdit(
  state: Status,
  { accountId, content, editedAt, editId }: RemoteEdit & { editId: Id },
): StatusEvent[] {
  if (!isOwn(state, accountId) || (state.editedAt !== null && editedAt < state.editedAt)) return [];
  const before = state.data;
  const after = {
    ...withMark(state, content),
    mentions: inOrder(before.mentions, content.mentions),
    media: content.media.map((media) => sameMedia(before.media, media)),
    poll: content.poll && samePoll(before.poll, content.poll),
  };
  if (!changedFields<StatusContent>({ ...ABSENT, ...before }, { ...ABSENT, ...after })) return [];
  return [
    {
      type: 'StatusEdited',
      data: { ...withoutContent(before), ...after, edit_id: editId, edited_at: editedAt },
    },
  ];
}

type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
/** The optional members of the content, which a version may lack although an earlier one had them. */
const ABSENT: Required<Pick<StatusContent, Optional<StatusContent>>> = {
  emojis: [],
  unresolved_mentions: [],
  linked_page: '',
};

/** Returns the fixed members of a post, and those that every content has. */
function withoutContent(data: StatusData): Omit<StatusData, keyof typeof ABSENT> {
  const { emojis: _, unresolved_mentions: _mentions, linked_page: _page, ...kept } = data;
  return kept;
}

/** Mentions keep their order; new ones follow. */
function inOrder(
  before: StatusContent['mentions'],
  after: StatusContent['mentions'],
): StatusContent['mentions'] {
  const places = new Map(before.map(({ id }, place) => [id, place]));
  const positionOf = ({ id }: { id: Id }): number => places.get(id) ?? before.length;
  return after.toSorted((one, other) => positionOf(one) - positionOf(other));
}

function sameMedia(before: readonly MediaAttachmentData[], media: MediaAttachmentData): MediaAttachmentData {
  const known = before.find(({ remote_url }) => remote_url === media.remote_url);
  if (!known) return media;
  // Locally found properties stay, unless the server states them.
  const { blurhash, type: media_type, meta } = known;
  const { focus: _, ...found } = meta ?? {};
  const after = { ...describedMedia(media, { blurhash, media_type, meta: found }), id: known.id };
  return Object.keys(after.meta ?? {}).length === 0 ? { ...after, meta: null } : after;
}

function samePoll(before: PollQuestion | null, poll: PollQuestion): PollQuestion {
  if (!before) return poll;
  const same = before.multiple === poll.multiple && isDeepStrictEqual([...before.options], [...poll.options]);
  return same ? { ...before, ...poll, id: before.id } : askedAnew(before, poll);
}

/** Records the result of a remote poll. */
export const recordRemotePollResult = useCase({
  stream: ({ id }: RemoteOwn & { tally: PollTally }) => statusStream(id),
  decider: status,
  decide: (state, { tally, ...own }) => decideRemotePollResult(state, own, tally),
  step: () => 'tally',
});

/** Ignores counts that do not match the options. Pure. */
export function decideRemotePollResult(
  state: Status,
  { accountId }: RemoteOwn,
  tally: PollTally,
): StatusEvent[] {
  if (!isOwn(state, accountId)) return [];
  const { id, account_id, poll } = state.data;
  if (!poll || tally.votes.length !== poll.options.length) return [];
  const known = state.tally ?? { votes: poll.options.map(() => 0), voters: 0 };
  if (isDeepStrictEqual({ ...known, votes: [...known.votes] }, { ...tally, votes: [...tally.votes] }))
    return [];
  const { votes, voters } = tally;
  return [{ type: 'PollTallied', data: { id, account_id, poll_id: poll.id, votes: [...votes], voters } }];
}

/** Deleting a deleted post changes nothing. */
export const deleteRemoteStatus = useCase({
  stream: ({ id }: RemoteOwn) => statusStream(id),
  decider: status,
  decide: (state, { accountId }) => (isOwn(state, accountId) ? decideDelete(state, accountId) : []),
  step: () => 'delete',
});

/** Pins a post to its author's profile. @throws RookeryError `invalid` past the limit */
export const pinRemoteStatus = useCase({
  prepare: (ctx, own: RemoteOwn) => ({ ...own, pinId: ctx.newId() }),
  stream: ({ id }) => statusStream(id),
  decider: status,
  decide: (state, { accountId, pinId }) =>
    isOwn(state, accountId) ? decidePin(state, { accountId, pinId }) : [],
  quota: ({ db }, { accountId }) => pinQuota(db, accountId),
  step: () => 'pin',
});

/** Unpins it; does nothing when it is not pinned. */
export const unpinRemoteStatus = useCase({
  stream: ({ id }: RemoteOwn) => statusStream(id),
  decider: status,
  decide: (state, { accountId }) => (isOwn(state, accountId) ? decideUnpin(state, accountId) : []),
  step: () => 'unpin',
});

/** Tells whether a post exists and belongs to this remote account. */
const isOwn = (state: Status, accountId: Id): state is Exclude<Status, { state: 'none' }> =>
  state.state === 'visible' && !state.data.local && state.data.account_id === accountId;
