import { REMOTE_ACCOUNTS_CHANNEL } from '#events/federation.ts';
import type { Notifications } from '#kernel/listening.ts';
import { type Db, despite, statement } from '#kernel/read.ts';
import { FollowedRows } from '#storage/postgres/projector/followed-rows.ts';

/** A process that starts while one of them is halted would otherwise deliver nothing. */
const ANY = despite(
  ['remote-inboxes', 'relays'],
  statement<{ any: boolean }>(
    'remote_accounts_any',
    'select exists (select from remote_inboxes) or exists (select from relays) as any',
  ),
);

/**
 * Tells whether any remote account or relay is known, from the memory of this process, because every post
 * asks. Once true, it stays true.
 */
export class RemoteAccounts {
  readonly #rows: FollowedRows;
  #any = false;

  constructor(db: Db) {
    this.#rows = new FollowedRows(async () => {
      const [row] = await db.query(ANY);
      this.#any ||= row?.any === true;
    });
  }

  /** Follows the projection's announcement of the first one. The read model must exist. */
  listen(notifications: Notifications): Promise<void> {
    return this.#rows.listen(notifications, REMOTE_ACCOUNTS_CHANNEL);
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  get none(): boolean {
    return !this.#any;
  }

  /** The caller knows from the log that there is one. */
  somebody(): void {
    this.#any = true;
  }
}
