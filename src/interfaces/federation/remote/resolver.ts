import { LRUCache } from 'lru-cache';
import type { CommandContext } from '#kernel/context.ts';
import type { HostBudget } from '#kernel/host-budget.ts';
import { atMost } from '#kernel/lru.ts';
import type { Identified, Resolved, Resolver } from '#kernel/services/federation.ts';
import { lookupText } from '#mastodon/lookup-text.ts';
import { remoteUriOf } from '#queries/federation/index.ts';
import type { RemoteAccess, RemoteDocuments } from './documents.ts';
import { PacedRequests } from './paced.ts';
import { BudgetSpent, isRemoteError } from './remote-error.ts';
import { RemoteFetcher } from './remote-fetcher.ts';
import { type NamedReplies, repliesOf } from './replies.ts';
import { UserLookups } from './user-lookups.ts';

export interface ResolverOptions extends RemoteAccess {
  documents: RemoteDocuments;
  /** Returns a context in the name of federation. */
  context: () => CommandContext;
  /** Returns the known account or post that a query names. */
  known: (query: string) => Promise<Resolved | undefined>;
  /** Called with the errors of servers that could not be reached or were not trusted. */
  onRefusal: (error: unknown) => void;
}

interface Bounds {
  ancestors?: number;
  budget?: HostBudget | undefined;
  isAsked?: boolean;
}

const MINUTE = 60_000;
/** Milliseconds for one query with all its requests; for known objects, those for their refresh. */
const DEADLINE = 20_000;
const REFRESH_DEADLINE = 5_000;
/** The maximum number of queries in progress; each makes a handful of requests. */
const MAX_PENDING = 32;
/** Milliseconds after which an account is fetched again. */
const STALE_AFTER = 24 * 60 * MINUTE;
/** Requests of jobs end with their process. These have their own deadline alone. */
const NEVER = new AbortController().signal;

/** Resolves queries with requests to other servers, and stores the results. */
export class RemoteResolver implements Resolver {
  readonly #options: ResolverOptions;
  readonly #pending = new Map<string, Promise<Resolved | undefined>>();
  /** The handles that posts of local users name. */
  readonly #meeting = new Map<string, ReturnType<Resolver['meet']>>();
  readonly #users = new UserLookups();
  /** The number of requests in progress that identify an account; each makes its own. */
  #asking = 0;
  /** Failed queries are not tried again for a minute. */
  readonly #failed = new LRUCache<string, true>({ ...atMost(10_000), ttl: MINUTE });
  /** The URIs of accounts that were fetched lately. */
  readonly #fresh = new LRUCache<string, true>({ ...atMost(50_000), ttl: STALE_AFTER });

  readonly #paced: PacedRequests;

  constructor(options: ResolverOptions) {
    this.#options = options;
    this.#paced = new PacedRequests(options.onRefusal);
  }

  async fetchAncestor(
    ...[uri, ancestors, signal, budget]: Parameters<Resolver['fetchAncestor']>
  ): ReturnType<Resolver['fetchAncestor']> {
    const find = (until: AbortSignal) => this.#search(until, { ancestors, budget }).find(uri);
    return (await this.#paced.run(uri, signal, find)).outcome;
  }

  async introduce(
    ...[uri, signal, budget]: Parameters<Resolver['introduce']>
  ): ReturnType<Resolver['introduce']> {
    const identify = (until: AbortSignal) => this.#search(until, { budget }).identify(uri);
    const paced = await this.#paced.run(uri, signal, identify);
    if (paced.outcome !== 'done') return paced;
    return { outcome: 'done', account: paced.found?.account };
  }

  async meet(...[handle, by]: Parameters<Resolver['meet']>): ReturnType<Resolver['meet']> {
    const pending = this.#meeting.get(handle);
    if (pending) return pending;
    if (this.#failed.has(handle) || !this.#users.admits(by, handle)) {
      return { outcome: 'done', account: undefined };
    }
    if (this.#meeting.size >= MAX_PENDING) return { outcome: 'busy' };
    const met = this.introduce(handle, NEVER).finally(() => this.#meeting.delete(handle));
    this.#meeting.set(handle, met);
    return met;
  }

  async resolve(text: string): Promise<Resolved | undefined> {
    const { known: find } = this.#options;
    const query = lookupText(text);
    if (query === undefined) return undefined;
    const known = await find(query);
    if (this.#failed.has(query) || known?.status !== undefined) return known;
    if (known?.account !== undefined && !(await this.#isStale(known.account))) return known;
    const look = (): Promise<Resolved | undefined> => this.#once(query, known ? REFRESH_DEADLINE : DEADLINE);
    return (await this.#ignoreRefusal(query, look)) ?? known;
  }

  async identify(text: string, budget?: HostBudget): Promise<Identified | undefined> {
    const query = lookupText(text);
    if (query === undefined || this.#failed.has(query) || this.#asking >= MAX_PENDING) return undefined;
    this.#asking += 1;
    try {
      return await this.#ignoreRefusal(query, () =>
        this.#search(AbortSignal.timeout(DEADLINE), { budget }).identify(query),
      );
    } finally {
      this.#asking -= 1;
    }
  }

  async isGone(uri: string, signal: AbortSignal): Promise<boolean | undefined> {
    const { documents, onRefusal } = this.#options;
    try {
      return await documents.isMissing(uri, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)]));
    } catch (error) {
      signal.throwIfAborted();
      if (!isRemoteError(error)) throw error;
      onRefusal(error);
      return undefined;
    }
  }

  async repliesTo(uri: string, signal: AbortSignal): Promise<NamedReplies> {
    const { documents, onRefusal } = this.#options;
    try {
      return await repliesOf(documents, uri, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)]));
    } catch (error) {
      signal.throwIfAborted();
      if (!isRemoteError(error)) throw error;
      onRefusal(error);
      return { uris: [], requests: 1 };
    }
  }

  /** An unavailable result is not requested again so soon. */
  async #ignoreRefusal<T>(query: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (!isRemoteError(error)) throw error;
      if (error instanceof BudgetSpent) return undefined;
      this.#failed.set(query, true);
      this.#options.onRefusal(error);
      return undefined;
    }
  }

  /**
   * Concurrent queries for the same object share one request. When too many run, the stored result is
   * returned.
   */
  async #once(query: string, deadline: number): Promise<Resolved | undefined> {
    const pending = this.#pending.get(query);
    if (pending) return pending;
    if (this.#pending.size >= MAX_PENDING) return undefined;
    const found = this.#search(AbortSignal.timeout(deadline), { isAsked: true })
      .find(query)
      .finally(() => this.#pending.delete(query));
    this.#pending.set(query, found);
    return found;
  }

  #search(signal: AbortSignal, { ancestors, budget, isAsked = false }: Bounds = {}): RemoteFetcher {
    return new RemoteFetcher({
      ...this.#options,
      ...(ancestors === undefined ? {} : { ancestors }),
      ...(budget ? { budget } : {}),
      isAsked,
      ctx: this.#options.context(),
      signal,
      onAccount: (uri) => this.#fresh.set(uri, true),
    });
  }

  async #isStale(accountId: string): Promise<boolean> {
    const uri = await remoteUriOf(this.#options.context().db, accountId);
    return uri !== undefined && !this.#fresh.has(uri);
  }
}
