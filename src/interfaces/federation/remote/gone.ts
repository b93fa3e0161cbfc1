import { removeRemoteAccount } from '#commands/federation/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import { accountIdOf } from '#queries/accounts/index.ts';
import { knownActor, remoteUriOf } from '#queries/federation/index.ts';
import type { RemoteDocuments } from './documents.ts';
import { RemoteError } from './remote-error.ts';

interface Asking {
  ctx: CommandContext;
  documents: Pick<RemoteDocuments, 'isGone'>;
  signal: AbortSignal;
}

/**
 * Removes the known account of an actor that answers 410 to a fetch, and again when asked without redirects.
 * @throws the error of the fetch
 */
export async function removeGone(asking: Asking, uri: string, error: unknown): Promise<never> {
  if (error instanceof RemoteError && error.status === 410) await removeIfGone(asking, uri);
  throw error;
}

/**
 * Removes the known account of a handle that WebFinger does not know any more, if its actor answers 410.
 * @throws the error of WebFinger
 */
export async function removeUnnamed(asking: Asking, handle: string, error: unknown): Promise<never> {
  const { db, instance } = asking.ctx;
  const isUnknown = error instanceof RemoteError && (error.status === 404 || error.status === 410);
  const id = isUnknown ? await accountIdOf(db, instance, handle) : undefined;
  const uri = id === undefined ? undefined : await remoteUriOf(db, id);
  if (uri !== undefined) await removeIfGone(asking, uri);
  throw error;
}

async function removeIfGone({ ctx, documents, signal }: Asking, uri: string): Promise<void> {
  const known = await knownActor(ctx.db, uri);
  if (known && (await documents.isGone(uri, signal))) await removeRemoteAccount(ctx, known.id);
}
