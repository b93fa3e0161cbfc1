import type { AccessToken, CommandIdentity, Context } from '#kernel/context.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Db } from '#kernel/read.ts';
import { NOTHING, type ParsedBody } from './bodies.ts';
import { forgetRefused, identify } from './idempotency.ts';
import type { SentCommand, StoredCommands } from './stored-commands.ts';

/** A command that a client may repeat, for example after a timeout. */
export interface RepeatableCommand extends SentCommand {
  /** The `Idempotency-Key` that the client sent. */
  key: string | undefined;
  /** Without a key, the content alone identifies the command; false for a command with files. */
  byContent: boolean;
}

/** Returns undefined for a request that changes nothing. @throws RookeryError `bad_request` for a key that is too long */
export function sentCommand(
  endpoint: Endpoint,
  { key, address }: { key: string | undefined; address: string },
  input: { body: unknown; files: ParsedBody['files'] },
  token: AccessToken | undefined,
): RepeatableCommand | undefined {
  if (endpoint.method === 'GET' || endpoint.onlyReads === true || !token) return undefined;
  if (key !== undefined && key.length > 256) {
    throw new RookeryError('bad_request', 'The Idempotency-Key is too long');
  }
  const given = key === '' ? undefined : key;
  return {
    owner: token.account_id ?? token.id,
    get content() {
      const { method, path, idempotentByKey } = endpoint;
      return JSON.stringify(
        given !== undefined && idempotentByKey ? [method, path] : [method, address, input.body],
      );
    },
    key: given,
    byContent: given === undefined && input.files === NOTHING.files,
  };
}

/**
 * Returns the identity of an earlier run of the command, or a new one; undefined when nothing identifies it.
 */
export async function identityOf(
  sent: RepeatableCommand | undefined,
  { db, newId, storedCommands }: { db: Db; newId: () => Id; storedCommands?: StoredCommands | undefined },
): Promise<CommandIdentity | undefined> {
  if (!sent) return undefined;
  const now = new Date().toISOString();
  const { key } = sent;
  if (key !== undefined) {
    return identify(db, { owner: sent.owner, content: sent.content, key }, { now, id: newId() });
  }
  return sent.byContent ? storedCommands?.recall(sent, now) : undefined;
}

/** Frees the key of a refused command for another command. Never throws: the client must get the refusal. */
export async function freeKey(
  { owner, content, key }: RepeatableCommand,
  context: Context,
  db: Db,
): Promise<void> {
  if (key === undefined || context.stored || context.repeated) return;
  await forgetRefused(db, { owner, content, key }).catch(() => undefined);
}
