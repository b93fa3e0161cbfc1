import { randomInt } from 'node:crypto';
import { type StatusData, type StatusEvent, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import { type Id, idNear } from '#kernel/ids.ts';
import { type Status, status } from '../statuses/index.ts';
import { claimUri } from './claims.ts';
import { type Above, aboveIncoming, fetchLater } from './fetch-ancestors.ts';
import { identifiedVideos } from './identified-videos.ts';
import { freeRemovedUri } from './remove.ts';

/** A remote post, fully checked, without the members that this server decides. */
export type RemoteStatus = Omit<StatusData, 'id' | 'local' | 'conversation_id' | 'application' | 'text'> & {
  /** The thread of the post that it replies to; null when that is unknown. */
  conversation_id: Id | null;
  /** ISO 8601; absent without an edit. */
  edited_at?: string;
  /** The URI of an unknown post that it replies to. */
  in_reply_to_uri?: string;
  /** This server fetched it; its author did not send it. */
  fetched?: true;
  /** The authorization of the reply, and the URI of the account that gave it. */
  reply_authorization?: string;
  reply_authorized_by?: string;
};

/**
 * Makes a post of another server known, under an id of the time that it was written. The same URI is always
 * the same post; what is known already, and what was deleted here, stays as it is. A post that it answers and
 * that is not known is fetched by a job, and so on, within the bounds of `above`. A stop after the claim of
 * the URI leaves an id without a post, which the next call continues with. A URI that a broken-off removal left taken
 * becomes free.
 * @returns its id; undefined when the URI is something else here, or the post is deleted
 */
export async function upsertRemoteStatus(
  ctx: CommandContext,
  remote: RemoteStatus,
  above: Above = aboveIncoming(remote),
): Promise<Id | undefined> {
  // Most servers send whole seconds, so many posts have the same time.
  const moment = Date.parse(remote.created_at);
  const fresh = idNear(moment % 1_000 === 0 ? moment + randomInt(1_000) : moment);
  const id = await claimUri(ctx, remote.uri, 'status', fresh);
  if (id === undefined) return undefined;
  const media = id === fresh ? await identifiedVideos(ctx, remote.media) : remote.media;
  const { state } = await ctx.execute(statusStream(id), status, (known) =>
    decideUpsertRemoteStatus(known, id, { ...remote, media }),
  );
  if (state.state === 'deleted' && (await freeRemovedUri(ctx, remote.uri, id)))
    return upsertRemoteStatus(ctx, remote, above);
  // Two posts drew the same id: the second one is dropped, rather than mistaken for the first.
  if (state.state !== 'visible' || state.data.uri !== remote.uri) return undefined;
  if (state.inReplyToUri !== null) await fetchLater(ctx, { uri: state.inReplyToUri, ...above });
  return id;
}

/** Pure. */
export function decideUpsertRemoteStatus(known: Status, id: Id, remote: RemoteStatus): StatusEvent[] {
  if (known.state !== 'none') return [];
  return [
    {
      type: 'StatusCreated',
      data: {
        ...remote,
        id,
        local: false,
        text: null,
        conversation_id: remote.conversation_id ?? id,
        application: null,
      },
    },
  ];
}
