import type { CommandContext } from '#kernel/context.ts';
import { accountIdOf } from '#queries/accounts/index.ts';
import { type KnownActor, knownActor } from '#queries/federation/index.ts';
import { ignoreRefusal } from '../remote/remote-error.ts';
import type { RemoteFetcher } from '../remote/remote-fetcher.ts';
import type { InboxJob } from './inbox-job.ts';

interface Asking {
  ctx: CommandContext;
  fetcher: RemoteFetcher;
  /** The host of the actor. */
  host: string;
}

/**
 * Returns the account of an unknown actor whose name on its host is that of a known account, once WebFinger
 * agrees: the server was set up anew. Undefined for any other actor. @throws FetchError
 */
export async function succeed(
  { ctx, fetcher, host }: Asking,
  { kind, username, actor }: InboxJob,
): Promise<KnownActor | undefined> {
  if (kind !== 'signed' || username == null) return undefined;
  const namesake = await accountIdOf(ctx.db, ctx.instance, `${username}@${host}`);
  if (namesake === undefined) return undefined;
  await fetcher.author(actor).catch(ignoreRefusal);
  return knownActor(ctx.db, actor);
}
