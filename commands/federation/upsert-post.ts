import { randomInt } from 'node:crypto';
import { statusStream, type StatusData, type StatusEvent } from '../../src/events/statuses.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { idNear, type Id } from '../../src/kernel/ids.ts';
import { status, type Status } from '../statuses/index.ts';
import { claimUri } from './claims.ts';
import { fetchLater, MAX_ANCESTORS } from './fetch-ancestors.ts';

/** A post of another server, all of it checked; without what is decided here. */
export type RemoteStatus = Omit<StatusData, 'id' | 'local' | 'conversation_id' | 'application' | 'text'> & {
  /** The thread of what it answers; null where that is not known here. */
  conversation_id: Id | null;
  /** ISO 8601; absent where it was not edited. */
  edited_at?: string;
  /** The post that it answers, where that is not known here. */
  in_reply_to_uri?: string;
  /** It was asked for here, and not sent by its author. */
  fetched?: true;
  /** The authorization by which it may be a reply, and the URI of the account that this one is by. */
  reply_authorization?: string;
  reply_authorized_by?: string;
};

/**
 * Makes a post of another server known, under an id of the time that it was written. The same URI is always the same post; what
 * is known already, and what was deleted here, stays as it is. A post that it answers and that is not known is fetched by a job, and
 * so on: `ancestors` posts at most.
 * @returns its id; undefined when the URI is something else here, or the post is deleted
 */
export async function upsertRemoteStatus(
  ctx: CommandContext,
  remote: RemoteStatus,
  ancestors = MAX_ANCESTORS,
): Promise<Id | undefined> {
  // Most servers tell whole seconds; many posts are of the same one.
  const moment = Date.parse(remote.created_at);
  const fresh = idNear(moment % 1_000 === 0 ? moment + randomInt(1_000) : moment);
  const id = await claimUri(ctx, remote.uri, 'status', fresh);
  if (id === undefined) return undefined;
  const { state } = await ctx.execute(statusStream(id), status, (known) =>
    decideUpsertRemoteStatus(known, id, remote),
  );
  // Two posts that drew one id: the second one is not kept, rather than mistaken for the first.
  if (state.state !== 'visible' || state.data.uri !== remote.uri) return undefined;
  if (state.inReplyToUri !== null) await fetchLater(ctx, { uri: state.inReplyToUri, left: ancestors });
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
