import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { knownActor } from '#queries/federation/index.ts';
import type { RemoteAccess, RemoteDocuments } from '../remote/documents.ts';
import { isRemoteError, isTransient } from '../remote/remote-error.ts';
import { RemoteFetcher } from '../remote/remote-fetcher.ts';
import { type Activity, activityOf, type ActivityType, eachObject } from './activity.ts';
import type { ActivityContext, Handler } from './activity-context.ts';
import { ended, move } from './actors.ts';
import { featureRequest } from './featured-collections.ts';
import { flag } from './flags.ts';
import { block, follow } from './follows.ts';
import { announced } from './groups.ts';
import { isIgnored } from './ignored.ts';
import type { InboxJob } from './inbox-job.ts';
import { announceRequest, likeRequest, replyRequest } from './interaction-requests.ts';
import { like, react } from './interactions.ts';
import { pin } from './pins.ts';
import { create, handleForwarded, remove, update } from './posts.ts';
import { answered, quoteRequest } from './quotes.ts';
import { handleProvenRelayed, handleRelayed } from './relays.ts';
import type { InboxJobRun } from './scheduler.ts';
import { succeed } from './successors.ts';
import type { InboxTombstones } from './tombstones.ts';
import { undo, unlessUndone } from './undo.ts';

export interface InboxWorkerOptions extends RemoteAccess {
  documents: RemoteDocuments;
  /** Returns a context that appends nothing twice for one command id. `remote` is the sending host. */
  context: (command: { commandId: string; remote: string }) => CommandContext;
  tombstones: InboxTombstones;
  signAs: ActivityContext['signAs'];
  /** Receives the errors of rejected activities and of servers that could not be reached. */
  onRefusal: (error: unknown) => void;
}

/** Time limit for one activity with all its requests, in milliseconds. */
const DEADLINE = 20_000;
/** The codes of refused decisions: a retry would be refused as well. */
const FINAL = ['bad_request', 'forbidden', 'not_found', 'gone', 'invalid'];

const HANDLERS: Record<ActivityType, Handler> = {
  Accept: answered('accept'),
  Add: pin('Add'),
  Announce: unlessUndone(announced),
  AnnounceRequest: announceRequest,
  Block: unlessUndone(block),
  Create: create,
  Delete: remove,
  EmojiReact: unlessUndone(react),
  FeatureRequest: featureRequest,
  Flag: flag,
  Follow: unlessUndone(follow),
  Like: unlessUndone(like),
  LikeRequest: likeRequest,
  Move: move,
  QuoteRequest: quoteRequest,
  Reject: answered('reject'),
  Remove: pin('Remove'),
  ReplyRequest: replyRequest,
  Undo: undo,
  Update: update,
};

/** Runs the handler of each queued activity. */
export class InboxWorker {
  readonly #options: InboxWorkerOptions;

  constructor(options: InboxWorkerOptions) {
    this.#options = options;
  }

  /** Processes one job. @throws when a retry may succeed */
  async perform(job: InboxJob, run: InboxJobRun): Promise<void> {
    const signal = AbortSignal.any([run.signal, AbortSignal.timeout(DEADLINE)]);
    const objects = eachObject(activityOf(job.text, { signer: job.actor }));
    for (const activity of objects) {
      try {
        await this.#process(job, activity, signal);
      } catch (error) {
        if (isRookeryError(error) && FINAL.includes(error.code)) continue;
        if (!isRemoteError(error)) throw error;
        if (isTransient(error) && !run.last) throw error;
        this.#options.onRefusal(error);
      }
    }
  }

  async #process(job: InboxJob, activity: Activity, signal: AbortSignal): Promise<void> {
    const { context, documents, instance, allows, tombstones, signAs } = this.#options;
    const { host } = new URL(job.actor);
    const ctx = context({ commandId: job.command, remote: host });
    const [present, isAllowed] = await Promise.all([knownActor(ctx.db, activity.actor), allows(host)]);
    // A moderator may have suspended the actor or the server since the activity was queued.
    if (isIgnored(present, activity) || !isAllowed) return;
    const fetcher = new RemoteFetcher({ ...this.#options, ctx, signal, onAccount: () => undefined });
    const known = present ?? (await succeed({ ctx, fetcher, host }, job));
    const { followers, featured } = job;
    const handler = handlerOf(job, activity.type as ActivityType);
    const actor = { activity, followers, featured, known };
    await handler({ ...actor, ctx, instance, documents, fetcher, tombstones, signAs, signal });
    // The actor's next activity may depend on this one.
    await ctx.waitForReadModels();
  }
}

function handlerOf({ kind }: InboxJob, type: ActivityType): Handler {
  if (kind === 'forwarded') return handleForwarded;
  if (kind === 'relayed') return handleRelayed;
  if (kind === 'proven') return handleProvenRelayed;
  return kind === 'unproven' ? ended : HANDLERS[type];
}
