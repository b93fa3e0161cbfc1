import { createHash } from 'node:crypto';
import { acceptListed, endUnlistedFollows } from '#commands/federation/index.ts';
import { relationshipStream } from '#events/relationships.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { JsonObject } from '#kernel/event.ts';
import type { Id } from '#kernel/ids.ts';
import { MAX_LISTED, namedAccounts } from '#queries/federation/index.ts';
import { withdrawal } from '../outbox/follows.ts';
import { send } from '../outbox/send.ts';
import type { RemoteDocuments } from './documents.ts';
import { type Foreign, idOf, isObject, listOf } from './json.ts';
import { isRemoteError } from './remote-error.ts';

export interface Synchronizing {
  documents: Pick<RemoteDocuments, 'get'>;
  context: () => CommandContext;
  onRefusal: (error: unknown) => void;
  /** Aborts when the process shuts down. */
  signal: AbortSignal;
}

/** Milliseconds for all requests. */
const DEADLINE = 30_000;
/** As in Mastodon. */
const MAX_PAGES = 10;
/** The maximum number of `Undo` activities of one job. */
const MAX_UNDONE = 200;

/**
 * Runs a `SYNCHRONIZE_FOLLOWERS` job. Ends follows that the other server does not list, if the list matches
 * its digest; sends an `Undo` for listed follows that are unknown here.
 */
export async function synchronizeFollowers(run: Synchronizing, data: JsonObject): Promise<void> {
  const { account_id: accountId, url, digest } = data;
  if (typeof accountId !== 'string' || typeof url !== 'string' || typeof digest !== 'string') return;
  const ctx = run.context();
  const account = (await namedAccounts(ctx.db, [accountId])).get(accountId);
  if (!account || account.domain === null || account.suspended) return;
  try {
    const list = await listAt(run, url, new URL(account.uri).origin);
    await mend(ctx, accountId, { ...list, digest }, run.signal);
  } catch (error) {
    run.signal.throwIfAborted();
    if (!isRemoteError(error)) throw error;
    run.onRefusal(error);
  }
}

interface List {
  uris: readonly string[];
  /** The whole list was read. */
  isWhole: boolean;
}

async function mend(
  ctx: CommandContext,
  accountId: Id,
  { uris, isWhole, digest }: List & { digest: string },
  signal: AbortSignal,
): Promise<void> {
  const ours = `${ctx.instance.origin}/`;
  const listed = uris.filter((uri) => uri.startsWith(ours));
  if (isWhole && digestOf(uris) === digest) await endUnlistedFollows(ctx, accountId, listed, signal);
  const strangers = await acceptListed(ctx, accountId, listed, signal);
  for (const id of strangers.slice(0, MAX_UNDONE)) {
    signal.throwIfAborted();
    await takeBack(ctx, { account_id: id, target_account_id: accountId });
  }
}

/** Tells the other server, at most once an hour, that a follow does not exist. */
async function takeBack(ctx: CommandContext, pair: { account_id: Id; target_account_id: Id }): Promise<void> {
  const { account_id, target_account_id } = pair;
  const hour = ctx.now.slice(0, 'yyyy-mm-ddThh'.length);
  for (const outgoing of withdrawal({ ...pair, id: ctx.newId() })) {
    await send(ctx, outgoing, {
      key: `synchronization/${account_id}/${target_account_id}/${hour}`,
      subject: relationshipStream(account_id, target_account_id),
    });
  }
}

/** XOR of the SHA-256 of each URI, in hexadecimal digits. */
function digestOf(uris: readonly string[]): string {
  const combined = Buffer.alloc(32);
  for (const uri of uris) {
    const one = createHash('sha256').update(uri).digest();
    for (const [index, byte] of one.entries()) combined[index] = (combined[index] ?? 0) ^ byte;
  }
  return combined.toString('hex');
}

/** Reads the list. @throws RemoteError, FetchError */
async function listAt(run: Synchronizing, url: string, origin: string): Promise<List> {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(DEADLINE)]);
  const partAt = async (value: unknown): Promise<Foreign | undefined> => {
    const address = idOf(value);
    if (isObject(value) && (value['items'] ?? value['orderedItems']) !== undefined) return value;
    if (address === undefined || URL.parse(address)?.origin !== origin) return undefined;
    return (await run.documents.get(address, signal)).document;
  };
  let part = await partAt(url);
  if (part?.['first'] != null) part = await partAt(part['first']);
  const uris = new Set<string>();
  for (let pages = 0; part && pages < MAX_PAGES; pages += 1) {
    for (const item of listOf(part['orderedItems'] ?? part['items'], MAX_LISTED)) {
      const uri = idOf(item);
      if (uri !== undefined) uris.add(uri);
    }
    if (uris.size > MAX_LISTED) break;
    if (part['next'] == null) return { uris: [...uris], isWhole: true };
    part = await partAt(part['next']);
  }
  return { uris: [...uris], isWhole: false };
}
