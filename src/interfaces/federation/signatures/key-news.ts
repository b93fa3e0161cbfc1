import { LRUCache } from 'lru-cache';
import type { Notifications } from '#kernel/listening.ts';
import { atMost } from '#kernel/lru.ts';
import { type Db, statement } from '#kernel/read.ts';

/** Announces how a process read the document of an actor. */
const CHANNEL = 'rookery_remote_keys';
const TELL = statement('remote_keys_tell', `select pg_notify('${CHANNEL}', $1)`);

/** Receives the fingerprint of an actor; nothing when news may have been missed. */
export type KeyListener = (actor?: { uri: string; fingerprint: string }) => void;

/** Tells all processes how the keys of an actor were read, so that none of them keeps others. */
export class KeyNews {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  readonly #told = new LRUCache<string, string>(atMost(10_000));
  #listener: KeyListener = () => undefined;

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  async listen(notifications: Notifications): Promise<void> {
    await notifications.subscribe({
      channel: CHANNEL,
      onNotification: (payload) => {
        const [fingerprint = '', uri = ''] = payload.split(' ');
        this.#listener({ uri, fingerprint });
      },
      onConnected: () => this.#listener(),
    });
  }

  /** Replaces the listener. */
  onNews(listener: KeyListener): void {
    this.#listener = listener;
  }

  /** Tells the other processes, unless this one did. */
  tell(uri: string, fingerprint: string): void {
    if (this.#told.get(uri) === fingerprint) return;
    this.#told.set(uri, fingerprint);
    this.#db.query(TELL, [`${fingerprint} ${uri}`]).catch(this.#onError);
  }
}
