import { isLoopback, networkOf } from '../http/client-address.ts';
import type { AuthChange } from '../oauth/auth-changes.ts';
import type { Caller } from '../oauth/authenticate.ts';
import type { AccessToken } from '../../kernel/context.ts';
import { RookeryError } from '../../kernel/errors.ts';
import type { Client } from './client.ts';

/** Connections that one token may have open in this process. Apps need one; some open one for each column. */
const MAX_PER_TOKEN = 25;
/** And all tokens of one account, or who makes tokens could have any number. */
const MAX_PER_ACCOUNT = 100;
/** And all accounts at one address, which many users may share. */
const MAX_PER_ADDRESS = 1_000;
/** Channels that all connections of one account, or of one address, may listen to: each costs something whenever something happens. */
const MAX_CHANNELS = { perAccount: 250, perAddress: 2_500 };
/** Milliseconds between two signs of life; proxies give up on silence after 30 seconds, at the earliest. */
const HEARTBEAT = 15_000;

export interface ClientsOptions {
  /** Authorizes as at the beginning. @throws when the caller may no longer listen */
  authorize: (client: Client) => Promise<Caller>;
  onError: (error: unknown) => void;
}

/** All connected clients. A client stays connected only while it would be admitted again. */
export class Clients {
  readonly #options: ClientsOptions;
  readonly #clients = new Set<Client>();
  /** How many connections and channels are open, by token, account and address. */
  readonly #open = new Map<string, number>();
  #beating: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  [Symbol.iterator](): Iterator<Client> {
    return this.#clients[Symbol.iterator]();
  }

  /** Counts a connection before it is made. @returns what takes it back @throws RookeryError when it is too many */
  reserve({ id, account_id }: Pick<AccessToken, 'id' | 'account_id'>, ip: string): () => void {
    if (this.#closed) throw new RookeryError('unavailable', 'The server is shutting down');
    const counted: [string, number][] = [
      [`token ${id}`, MAX_PER_TOKEN],
      [`account ${account_id}`, MAX_PER_ACCOUNT],
      ...atAddress(ip, 'address', MAX_PER_ADDRESS),
    ];
    return this.#reserve(counted, 'Too many open streams');
  }

  /** Counts a channel before a client listens to it. @returns what takes it back @throws RookeryError when it is too many */
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

  /** From now on it is watched, until it closes. */
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

  /** Looks again at those whom a change may concern. */
  changed(change: AuthChange): void {
    for (const client of this.#clients) {
      if (
        change === 'everything' ||
        ('accountId' in change
          ? change.accountId === client.accountId
          : change.tokenHash === client.tokenHash)
      ) {
        void this.#check(client);
      }
    }
  }

  /** Ends all connections: they are to come again. */
  closeAll(): void {
    for (const client of [...this.#clients]) client.close('again');
  }

  /** Ends all connections, and refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#clients].map((client) => client.closed('shutdown')));
  }

  /** Signs of life, which find out who is gone; and a look at the tokens, should the news of a change have been lost. */
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

/** A network counts as one address. This machine itself is none: a proxy that is not trusted may be on it. */
const atAddress = (ip: string, name: string, most: number): [string, number][] =>
  isLoopback(ip) ? [] : [[`${name} ${networkOf(ip)}`, most]];
