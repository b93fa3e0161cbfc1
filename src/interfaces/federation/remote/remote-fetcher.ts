import {
  aliasRemoteHandle,
  deleteRemoteStatus,
  MAX_ANCESTORS,
  recordRemotePollResult,
  redirectRemoteAccount,
  refreshProfileLater,
  upsertRemoteAccount,
  upsertRemoteStatus,
} from '#commands/federation/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { HostBudget } from '#kernel/host-budget.ts';
import type { Id } from '#kernel/ids.ts';
import type { Identified, Resolved } from '#kernel/services/federation.ts';
import {
  followersUriOf,
  knownActor,
  knownMentions,
  knownParent,
  namedPosts,
  ownIdIn,
} from '#queries/federation/index.ts';
import { accountOf, isActor, usernameOf } from './actor.ts';
import { isRevoked, requireReplyAuthorization } from './authorizations.ts';
import { ballotOf } from './ballots.ts';
import { budgeted } from './budgeted.ts';
import { statusOf } from './content.ts';
import type { RemoteAccess, RemoteDocument, RemoteDocuments } from './documents.ts';
import { removeGone, removeUnnamed } from './gone.ts';
import { identityOf } from './identity.ts';
import { idOf, typesOf } from './json.ts';
import { mentionedAccounts } from './mentions.ts';
import { type ForeignPost, isPost, postOf } from './post.ts';
import { verifyQuote } from './quote-authorizations.ts';
import { ignoreRemoteError, RemoteError } from './remote-error.ts';
import { finger, type Handle, parseHandle } from './webfinger.ts';

const isAddress = (query: string): boolean => /^https?:\/\//i.test(query);

export interface RemoteFetcherOptions extends RemoteAccess {
  documents: RemoteDocuments;
  ctx: CommandContext;
  /** Aborts all requests. */
  signal: AbortSignal;
  /** Called with the accounts that were fetched. */
  onAccount: (uri: string) => void;
  /** The number of ancestors of a post that are fetched after it; their quotes are not fetched. */
  ancestors?: number;
  /**
   * The requests that the work may make to each host. Work with a budget fetches no more than it must: no profiles of accounts
   * and no quotes.
   */
  budget?: HostBudget;
  /** A user asked for it: the posts above it have no budget. */
  isAsked?: boolean;
}

/** Fetches objects of other servers, and stores what it finds. */
export class RemoteFetcher {
  readonly #options: RemoteFetcherOptions;
  readonly #fingered = new Map<string, Promise<Handle & { uri: string }>>();

  constructor(options: RemoteFetcherOptions) {
    const { budget, documents } = options;
    const http = budget && budgeted(options.http, budget);
    this.#options = http ? { ...options, http, documents: documents.through(http) } : options;
  }

  /**
   * Fetches an account or a post, also by the address of a page that names its document. For posts, quoted posts are fetched as well, nested to this depth. @throws
   * RemoteError, FetchError
   */
  async find(query: string, depth = 1): Promise<Resolved | undefined> {
    const { documents, signal } = this.#options;
    const remote = await this.#named(query, (uri) => documents.locate(uri, signal));
    if (!remote) return undefined;
    const found = await this.#remember(remote, depth, this.#options.ancestors);
    if (found.account !== undefined) await this.#alias(query, found.account);
    return this.#whenVisible(found);
  }

  /** Stores the object of a document; `depth` as in `find`. @throws RemoteError, FetchError */
  async store(remote: RemoteDocument, depth = 1): Promise<Resolved> {
    return this.#whenVisible(await this.#remember(remote, depth, this.#options.ancestors));
  }

  /** Fetches an account, with its aliases. @throws RemoteError, FetchError */
  async identify(query: string): Promise<Identified | undefined> {
    const { documents, signal } = this.#options;
    const remote = await this.#named(query, (uri) => documents.get(uri, signal));
    if (!remote) return undefined;
    const identity = identityOf(remote);
    const account = await this.account(remote);
    await this.#alias(query, account);
    return this.#whenVisible({ ...identity, account });
  }

  /** Waits for the read models, because the caller reads in a context of its own. */
  async #whenVisible<T>(result: T): Promise<T> {
    await this.#options.ctx.waitForReadModels();
    return result;
  }

  /** Returns the document of an address or a handle; undefined for other text, and for local handles. */
  async #named(
    query: string,
    get: (uri: string) => Promise<RemoteDocument>,
  ): Promise<RemoteDocument | undefined> {
    const getOrRemove = (uri: string): Promise<RemoteDocument> =>
      get(uri).catch((error: unknown) => removeGone(this.#options, uri, error));
    if (isAddress(query)) return getOrRemove(query);
    const handle = parseHandle(query);
    if (!handle || this.#isOurs(handle.domain)) return undefined;
    const { uri } = await this.#finger(handle).catch((error: unknown) =>
      removeUnnamed(this.#options, query, error),
    );
    return getOrRemove(uri);
  }

  /** Keeps the handle that led to an account, so that it finds the account without asking again. */
  async #alias(query: string, accountId: Id): Promise<void> {
    const handle = isAddress(query) ? undefined : parseHandle(query);
    if (handle) await aliasRemoteHandle(this.#options.ctx, handle, accountId);
  }

  async #remember(remote: RemoteDocument, depth: number, ancestors?: number): Promise<Resolved> {
    if (isActor(remote)) return { account: await this.account(remote) };
    const post = isPost(remote) ? remote : await this.#created(remote);
    if (isPost(post)) return { status: await this.#status(post, depth, ancestors) };
    throw new RemoteError('is neither an account nor a post');
  }

  /** Returns the object of a `Create`, fetched by its id; other documents unchanged. @throws RemoteError, FetchError */
  async #created(remote: RemoteDocument): Promise<RemoteDocument> {
    const { documents, signal } = this.#options;
    const uri = typesOf(remote.document).includes('Create') ? idOf(remote.document['object']) : undefined;
    return uri === undefined ? remote : documents.get(uri, signal);
  }

  /**
   * Stores an actor whose document came from the address of its id, and the account that it has moved to.
   * @throws RemoteError, FetchError
   */
  async account(remote: RemoteDocument): Promise<Id> {
    const id = await this.#actor(remote);
    await this.redirect(id, remote);
    return id;
  }

  /**
   * Stores the account that a remote one has moved to, or that there is none. Only the next account of a
   * chain is fetched; if that fails, nothing changes. https://docs.joinmastodon.org/spec/activitypub/#Move
   */
  async redirect(id: Id, { document }: RemoteDocument): Promise<void> {
    const { ctx } = this.#options;
    const uri = idOf(document['movedTo']);
    const target = uri === undefined ? null : await this.#successor(uri).catch(ignoreRemoteError);
    if (target !== undefined) await redirectRemoteAccount(ctx, { accountId: id, targetId: target });
  }

  async #successor(uri: string): Promise<Id> {
    const { ctx, documents } = this.#options;
    const [known] = await knownMentions(ctx.db, [uri]);
    if (known) return known.id;
    const remote = await documents.get(uri, this.#options.signal);
    if (remote.id !== uri) throw new RemoteError('is led to by another id');
    return this.#actor(remote);
  }

  async #actor(remote: RemoteDocument): Promise<Id> {
    const { ctx } = this.#options;
    const described = accountOf(remote, await this.#domainOf(remote), ctx.now);
    const id = await upsertRemoteAccount(ctx, described, { confirmed: true });
    if (id === undefined) throw new RemoteError('is suspended, or goes by what is something else here');
    const { username, domain } = described;
    const { host } = new URL(remote.id);
    // WebFinger of the host led here, too.
    if (domain !== host) await aliasRemoteHandle(ctx, { username, domain: host }, id);
    if (this.#options.budget) return id;
    this.#options.onAccount(remote.id);
    // The job has a context of its own and reads the account.
    await ctx.waitForReadModels();
    await refreshProfileLater(ctx, { accountId: id, uri: remote.id });
    return id;
  }

  /**
   * Returns the domain of an actor's handle. The actor's own host names it, and when that is another domain,
   * it must agree: no actor can choose its handle alone, and no domain can claim an actor.
   */
  async #domainOf(actor: RemoteDocument): Promise<string> {
    const username = usernameOf(actor);
    const agrees = (said: Handle & { uri: string }): boolean =>
      said.uri === actor.id && said.username.toLowerCase() === username.toLowerCase();
    const host = new URL(actor.id).host;
    const first = await this.#finger({ username, domain: host });
    if (!agrees(first) || this.#isOurs(first.domain)) throw new RemoteError('is not whom its handle means');
    if (first.domain === host) return host;
    const second = await this.#finger(first);
    if (!agrees(second) || second.domain !== first.domain)
      throw new RemoteError('is not whom its handle means');
    return second.domain;
  }

  async #status(remote: RemoteDocument, depth: number, ancestors?: number): Promise<Id> {
    const { ctx, budget, isAsked = false } = this.#options;
    if (await ballotOf(this.#options, remote.document)) throw new RemoteError('is a vote');
    const post = postOf(remote, ctx.now);
    const accountId = await this.author(post.authorUri);
    // In this order: a parent that becomes known after it was looked up is linked, and compared, later.
    const parent = await this.#parent(post);
    const authorization = await requireReplyAuthorization(this.#options, post, accountId);
    const quoted = await this.#quoted(post, depth);
    const [mentions, followers] = await Promise.all([
      mentionedAccounts(ctx, post.mentions, { isIncoming: ancestors === undefined }),
      followersUriOf(ctx.db, accountId),
    ]);
    const surroundings = { accountId, mentions, parent, quoted, followers, authorization };
    const status = { ...statusOf(post, surroundings, ctx.newId), fetched: true as const };
    const wanted = ancestors ?? (isAsked ? MAX_ANCESTORS : undefined);
    const above = wanted === undefined ? undefined : { left: wanted, budget };
    const id = await upsertRemoteStatus(ctx, status, above);
    if (id === undefined) throw new RemoteError('is a post that is gone, or something else here');
    if (await isRevoked(this.#options, authorization)) {
      await deleteRemoteStatus(ctx, { id, accountId });
      throw new RemoteError('is a reply whose approval was taken back');
    }
    if (post.poll?.tally) await recordRemotePollResult(ctx, { id, accountId, tally: post.poll.tally });
    if (post.quote && quoted && !budget) {
      await verifyQuote(
        this.#options,
        { id, uri: post.uri, account_id: accountId },
        post.quote,
        quoted.id,
      ).catch(ignoreRemoteError);
    }
    return id;
  }

  /** Returns the quoted post, if it is public. */
  async #quoted({ quote }: ForeignPost, depth: number): Promise<{ id: Id; account_id: Id } | undefined> {
    if (!quote) return undefined;
    const { ctx, instance, documents, signal, ancestors, budget } = this.#options;
    const ownId = ownIdIn(quote.uri, instance);
    const known = await knownParent(ctx.db, quote.uri, ownId);
    if (known || ownId !== null || depth <= 0 || budget) return known;
    const ask = async (): Promise<Resolved> =>
      this.#remember(
        await documents.locate(quote.uri, signal),
        depth - 1,
        ancestors === undefined ? undefined : 0,
      );
    const found = await ask().catch(ignoreRemoteError);
    if (found?.status === undefined) return undefined;
    return (await namedPosts(ctx.db, [found.status]))[0];
  }

  /** Returns the account of an actor, which is fetched if it is unknown. @throws RemoteError, FetchError */
  async author(uri: string): Promise<Id> {
    const { ctx, documents, signal } = this.#options;
    const known = await knownActor(ctx.db, uri);
    if (known?.suspended) throw new RemoteError('is by somebody who is suspended');
    if (known) return known.id;
    const actor = await documents.get(uri, signal);
    if (actor.id !== uri) throw new RemoteError('is by an actor of another id');
    return this.account(actor);
  }

  #parent({ inReplyTo }: ForeignPost) {
    if (inReplyTo === null) return undefined;
    const { ctx, instance } = this.#options;
    return knownParent(ctx.db, inReplyTo, ownIdIn(inReplyTo, instance));
  }

  /** Asks once for each handle: the answer that led to an actor also confirms its handle. */
  async #finger(handle: Handle): Promise<Handle & { uri: string }> {
    if (this.#isOurs(handle.domain)) throw new RemoteError('is of this server');
    const key = `${handle.username}@${handle.domain}`;
    const answer = this.#fingered.get(key) ?? finger(this.#options, handle, this.#options.signal);
    this.#fingered.set(key, answer);
    return answer;
  }

  #isOurs(domain: string): boolean {
    const { domain: own, origin } = this.#options.instance;
    return domain === own.toLowerCase() || domain === new URL(origin).host;
  }
}
