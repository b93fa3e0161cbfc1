import {
  CAUSED_THERE,
  moveRemoteAccount,
  refreshProfileLater,
  removeRemoteAccount,
  upsertRemoteAccount,
} from '#commands/federation/index.ts';
import type { Id } from '#kernel/ids.ts';
import { type KnownActor, localActorById } from '#queries/federation/index.ts';
import { accountOf } from '../remote/actor.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { type Identity, identityOf } from '../remote/identity.ts';
import { idOf, momentOf } from '../remote/json.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { type ActivityContext, type Handler, localAccountIn } from './activity-context.ts';
import { advanceActorClock } from './actor-clock.ts';

/**
 * Applies an actor's description of itself, unless a later one is known. The actor is trusted for that, but
 * not for another name: then its server is asked. @throws RemoteError, FetchError
 */
export async function updateActor(
  context: ActivityContext,
  known: KnownActor,
  remote: RemoteDocument,
): Promise<void> {
  const { ctx, activity, documents, fetcher, signal } = context;
  if (remote.id !== activity.actor) throw new RemoteError('sent the profile of somebody else');
  const account = accountOf(remote, known.domain, ctx.now);
  const at = changedAt(context, remote);
  if (at !== undefined && !(await advanceActorClock(ctx.db, activity.actor, at))) return;
  if (account.username.toLowerCase() === known.username.toLowerCase()) {
    await upsertRemoteAccount(ctx, account, { confirmed: false });
    await fetcher.redirect(known.id, remote);
    await refreshProfileLater(ctx, { accountId: known.id, uri: remote.id, after: CAUSED_THERE });
  } else await fetcher.account(await documents.get(remote.id, signal));
}

/** Mastodon and Misskey end the ids of updates with seconds or milliseconds since 1970. */
const CHANGE = /#updates\/([0-9]{10}|[0-9]{13})$/;

/**
 * Returns the time of an update in ISO 8601, if the activity tells it. A time in the future is cut to now, so
 * it blocks no later update.
 */
function changedAt({ ctx, activity }: ActivityContext, { document }: RemoteDocument): string | undefined {
  const [, digits = ''] = CHANGE.exec(activity.id ?? '') ?? [];
  const said =
    momentOf(document['updated']) ??
    momentOf(activity.document['updated']) ??
    momentOf(activity.document['published']) ??
    (digits === '' ? undefined : new Date(Number(digits.padEnd(13, '0'))).toISOString());
  return said !== undefined && said > ctx.now ? ctx.now : said;
}

/**
 * Handles the deletion of an actor whose key is no longer available: its server must confirm that the actor
 * is gone.
 */
export const ended: Handler = async ({ ctx, known, activity, documents, signal }) => {
  if (known && (await documents.isGone(activity.actor, signal))) await removeRemoteAccount(ctx, known.id);
};

/**
 * Handles `Move`. The new account must name the old one as an alias.
 * https://docs.joinmastodon.org/spec/activitypub/#Move
 */
export const move: Handler = async (context) => {
  const { ctx, known, activity } = context;
  const { actor, object, document } = activity;
  const target = idOf(document['target']);
  if (!known || idOf(object) !== actor || target === undefined) return;
  const ours = await localAccountIn(context, target);
  const successor =
    ours === undefined ? await theirSuccessor(context, target) : await ourSuccessor(context, ours);
  if (!successor.alsoKnownAs.includes(actor) || successor.hasMoved) {
    throw new RemoteError('moves to an account that is not the same one');
  }
  await moveRemoteAccount(ctx, { accountId: known.id, targetId: await successor.account() });
};

/** `account` stores the account and returns its id. */
type Successor = Identity & { account: () => Promise<Id> };

async function ourSuccessor({ ctx }: ActivityContext, id: Id): Promise<Successor> {
  const actor = await localActorById(ctx.db, id);
  if (!actor || actor.suspended) throw new RemoteError('moves to an account that nobody may follow');
  const { also_known_as: alsoKnownAs, moved_to } = actor;
  return { alsoKnownAs, hasMoved: moved_to !== null, account: () => Promise.resolve(id) };
}

async function theirSuccessor(
  { documents, fetcher, signal }: ActivityContext,
  uri: string,
): Promise<Successor> {
  const remote = await documents.get(uri, signal);
  if (remote.id !== uri) throw new RemoteError('moves to an address that is none of an account');
  return { ...identityOf(remote), account: () => fetcher.account(remote) };
}
