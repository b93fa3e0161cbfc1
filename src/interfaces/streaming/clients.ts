import type { AccessToken } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import { isLoopback, networkOf } from '../http/client-address.ts';
import type { AuthChange } from '../oauth/auth-changes.ts';
import type { Caller } from '../oauth/authenticate.ts';
import type { Client } from './client.ts';

/**
 * The maximum number of connections of one token in this process. Apps need one; some open one for each
 * column.
 */
const MAX_PER_TOKEN = 25;
/** The same for all tokens of an account, because one account can create many tokens. */
const MAX_PER_ACCOUNT = 100;
/** The same for all accounts at one address, which many users may share. */
const MAX_PER_ADDRESS = 1_000;
/**
 * The maximum number of channels of all connections of one account, or of one address: each costs time at
 * every event.
 */
const MAX_CHANNELS = { perAccount: 250, perAddress: 2_500 };
/** Milliseconds between two heartbeats; proxies close silent connections after 30 seconds or later. */
const HEARTBEAT = 15_000;

export interface ClientsOptions {
  /** Authorizes a client as at the beginning. @throws when the caller may no longer subscribe */
  authorize: (client: Client) => Promise<Caller>;
  onError: (error: unknown) => void;
}

/** All connected clients. A client stays connected only while it would be admitted again. */
export class Clients {
  readonly #options: ClientsOptions;
  readonly #clients = new Set<Client>();
  /** The number of open connections and channels, by token, account and address. */
  readonly #open = new Map<string, number>();
  #beating: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  [Symbol.iterator](): Iterator<Client> {
    return this.#clients[Symbol.iterator]();
  }

  /**
   * Counts a connection before it is opened. @returns a function that undoes it @throws RookeryError when
   * there are too many
   */
  reserve({ id, account_id }: Pick<AccessToken, 'id' | 'account_id'>, ip: string): () => void {
    if (this.#closed) throw new RookeryError('unavailable', 'The server is shutting down');
    const counted: [string, number][] = [
      [`token ${id}`, MAX_PER_TOKEN],
      [`account ${account_id}`, MAX_PER_ACCOUNT],
      ...atAddress(ip, 'address', MAX_PER_ADDRESS),
    ];
    return this.#reserve(counted, 'Too many open streams');
  }

  /**
   * Counts a channel before a client subscribes. @returns a function that undoes it @throws RookeryError when
   * there are too many
   */
  reserveChannel({ accountId, ip }: Pick<Client, 'accountId' | 'ip'>): () => void {
    const counted: [string, number][] = [
      [`channels of account ${accountId}`, MAX_CHANNELS.perAccount],
      ...atAddress(ip, 'channels of address', MAX_CHANNELS.perAddress),
    ];
    return this.#reserve(counted, 'Too many channels');
  }

  #reserve(counted: readonly [string, number][], refusal: string): () => void {
    if (counted.some(([key, most]) => (this.#open.get(key) ?? 0) >= most)) {
      throw new RookeryError('too_many_requests', refusal);
    }
    for (const [key] of counted) this.#count(key, 1);
    let reserved = true;
    return () => {
      if (!reserved) return;
      reserved = false;
      for (const [key] of counted) this.#count(key, -1);
    };
  }

  #count(key: string, more: number): void {
    const count = (this.#open.get(key) ?? 0) + more;
    if (count === 0) this.#open.delete(key);
    else this.#open.set(key, count);
  }

  /** Watches a client until it closes. */
  add(client: Client): void {
    if (this.#closed) return client.close('shutdown');
    this.#clients.add(client);
    this.#beating ??= setInterval(() => this.#beat(), HEARTBEAT).unref();
    client.signal.addEventListener('abort', () => {
      this.#clients.delete(client);
      if (this.#clients.size > 0) return;
      clearInterval(this.#beating);
      this.#beating = undefined;
    });
    // The token may have been revoked since it was looked up.
    void this.#check(client);
  }

  /** Checks the clients that a change may affect. */
  changed(change: AuthChange): void {
    for (const client of this.#clients) {
      if (isAffected(client, change)) void this.#check(client);
    }
  }

  /** Closes all connections; clients should reconnect. */
  closeAll(): void {
    for (const client of [...this.#clients]) client.close('again');
  }

  /** Closes all connections, and refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#clients].map((client) => client.closed('shutdown')));
  }

  /**
   * Sends heartbeats, which find dead connections, and checks tokens, in case the notification of a change
   * was lost.
   */
  #beat(): void {
    for (const client of this.#clients) {
      client.beat();
      void this.#check(client);
    }
  }

  async #check(client: Client): Promise<void> {
    try {
      const { viewer } = await this.#options.authorize(client);
      if (viewer?.role !== client.role) client.close('unauthorized');
    } catch (error) {
      // A client that cannot be checked is not admitted.
      client.close('unauthorized');
      if (!(error instanceof RookeryError)) this.#options.onError(error);
    }
  }
}

/** A network counts as one address. The loopback address counts as none: an untrusted proxy may use it. */
const atAddress = (ip: string, name: string, most: number): [string, number][] =>
  isLoopback(ip) ? [] : [[`${name} ${networkOf(ip)}`, most]];

function isAffected({ accountId, credential }: Client, change: AuthChange): boolean {
  if (change === 'everything') return true;
  if ('accountId' in change) return change.accountId === accountId;
  return 'tokenHash' in credential && credential.tokenHash === change.tokenHash;
}
