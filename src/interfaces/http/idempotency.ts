import { createHash, randomUUID } from 'node:crypto';
import type { CommandIdentity } from '#kernel/context.ts';
import { type Db, statement } from '#kernel/read.ts';

const REMEMBER = statement<Row>(
  'idempotency_remember',
  `insert into durable.idempotency_keys (owner, key_digest, command_id, first_id, now)
   values ($1, $2, $3, $4, $5) on conflict (owner, key_digest) do nothing
   returning command_id, first_id, now`,
);
const RECALL = statement<Row>(
  'idempotency_recall',
  'select command_id, first_id, now from durable.idempotency_keys where owner = $1 and key_digest = $2',
);
const FORGET_REFUSED = statement(
  'idempotency_forget_refused',
  'delete from durable.idempotency_keys where owner = $1 and key_digest = $2',
);
const FORGET = statement(
  'idempotency_forget',
  `delete from durable.idempotency_keys where now < now() - interval '24 hours'`,
);

interface Row {
  command_id: string;
  first_id: string;
  now: string;
}

interface KeyedRequest {
  owner: string;
  key: string;
  /** Distinguishes commands with the same key. */
  content: string;
}

/**
 * Returns the identity of a command with an `Idempotency-Key`: the same owner, key and request give the same
 * command, so its events are stored once, however often it is sent. Kept for a day.
 * https://docs.joinmastodon.org/methods/statuses/#create
 */
export async function identify(
  db: Db,
  request: KeyedRequest,
  fresh: { now: string; id: string },
): Promise<CommandIdentity> {
  const values = valuesOf(request);
  const [made] = await db.query(REMEMBER, [...values, randomUUID(), fresh.id, fresh.now]);
  const [row] = made ? [made] : await db.query(RECALL, values);
  if (!row) return identify(db, request, fresh);
  return { commandId: row.command_id, firstId: row.first_id, now: row.now, repeated: !made };
}

/**
 * Frees the key of a command that was refused and stored nothing: the next request with it is a new command.
 */
export async function forgetRefused(db: Db, request: KeyedRequest): Promise<void> {
  await db.query(FORGET_REFUSED, valuesOf(request));
}

const valuesOf = ({ owner, key, content }: KeyedRequest): [string, Buffer] => [
  owner,
  createHash('sha256')
    .update(JSON.stringify([key, content]))
    .digest(),
];

/** Deletes keys that are older than a day. */
export async function forgetOldKeys(db: Db): Promise<void> {
  await db.query(FORGET);
}
