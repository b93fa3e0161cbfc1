import { createHash } from 'node:crypto';
import type { CommandIdentity } from '#kernel/context.ts';
import type { Notifications } from '#kernel/listening.ts';
import { type Db, statement } from '#kernel/read.ts';

const CHANNEL = 'rookery_stored_commands';
const REMEMBER = statement(
  'stored_commands_remember',
  `with remembered as (
     insert into durable.idempotency_keys (owner, key_digest, command_id, first_id, now)
     values ($1, $2, $3, $4, $5)
     on conflict (owner, key_digest) do update
     set command_id = excluded.command_id, first_id = excluded.first_id, now = excluded.now
   )
   select pg_notify('${CHANNEL}', '')`,
);
const RECALL = statement<{ command_id: string; first_id: string; now: string }>(
  'stored_commands_recall',
  `select command_id, first_id, now from durable.idempotency_keys
   where owner = $1 and key_digest = $2 and now > $3::timestamptz - interval '1 minute'`,
);
const FORGET = statement(
  'stored_commands_forget',
  'delete from durable.idempotency_keys where owner = $1 and key_digest = $2',
);

/** Milliseconds for which a repeated command is recognised. */
const MINUTE = 60_000;

/** A request that may repeat another one: the sender, and its method, address and body. */
export interface SentCommand {
  owner: string;
  content: string;
}

/**
 * Commands that were stored although their client got a 503, because the read models did not show the result
 * in time. A client without an `Idempotency-Key` then sends the same request again: within a minute, that is
 * the same command. Nothing is looked up until a process on this database has met such a command.
 */
export class StoredCommands {
  readonly #db: Db;
  #until = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Learns of such commands in other processes. */
  async listen(notifications: Notifications): Promise<void> {
    await notifications.subscribe({
      channel: CHANNEL,
      onNotification: () => this.#expect(),
      // Notifications are missed while there is no connection.
      onConnected: () => this.#expect(),
    });
  }

  async remember(sent: SentCommand, { commandId, firstId, now }: CommandIdentity): Promise<void> {
    this.#expect();
    await this.#db.query(REMEMBER, [...valuesOf(sent), commandId, firstId, now]);
  }

  /**
   * Returns the identity of the same command if it was stored within the last minute before `now` (ISO 8601).
   */
  async recall(sent: SentCommand, now: string): Promise<CommandIdentity | undefined> {
    if (performance.now() > this.#until) return undefined;
    const [row] = await this.#db.query(RECALL, [...valuesOf(sent), now]);
    return row && { commandId: row.command_id, firstId: row.first_id, now: row.now, repeated: true };
  }

  /** Forgets a command whose client has its reply: another one like it is a new command. */
  async forget(sent: SentCommand): Promise<void> {
    await this.#db.query(FORGET, valuesOf(sent));
  }

  #expect(): void {
    this.#until = performance.now() + MINUTE;
  }
}

/** No `Idempotency-Key` gives this digest, because a key is a string. */
const valuesOf = ({ owner, content }: SentCommand): [string, Buffer] => [
  owner,
  createHash('sha256')
    .update(JSON.stringify([null, content]))
    .digest(),
];
