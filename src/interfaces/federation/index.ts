import type { IncomingMessage } from 'node:http';
import type { RemoteAccounts } from '#adapters/caches/remote-accounts.ts';
import type { JobHandler } from '#adapters/jobs/handler.ts';
import type { CommandContext, Instance } from '#kernel/context.ts';
import type { MasterKey } from '#kernel/master-key.ts';
import { memoizeAsync } from '#kernel/memoize-async.ts';
import type { Db } from '#kernel/read.ts';
import type { Resolved, Resolver } from '#kernel/services/federation.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type { WaitingRoom } from '#kernel/waiting-room.ts';
import { federationAllowed, type Signer } from '#queries/federation/index.ts';
import { ActorKeys } from './actor-keys.ts';
import { createDeliveries, type DeliveryService } from './delivery/deliveries.ts';
import { mainKeyUri } from './documents/key-uris.ts';
import type { Arrival } from './inbox/endpoint.ts';
import { createInbox, type InboxService } from './inbox/service.ts';
import { InboxTombstones } from './inbox/tombstones.ts';
import { RemoteError } from './remote/remote-error.ts';
import { KeyNews } from './signatures/key-news.ts';
import { SignatureSchemes } from './signatures/schemes.ts';
import type { RequestSigner } from './signatures/sign.ts';

export { INBOX_JOB } from './inbox/inbox-job.ts';
export type { Arrival } from './inbox/endpoint.ts';
export { FEATURE_AUTHORIZATION_JOB } from './remote/feature-authorization-job.ts';
export { QUOTE_AUTHORIZATION_JOB } from './remote/quote-authorization-job.ts';

export interface FederationOptions {
  db: Db;
  http: HttpClient;
  /** The requests of `http` that are under way. */
  room: WaitingRoom;
  instance: Instance;
  /** Wraps the keys of accounts. */
  masterKey: MasterKey;
  /** The instance actor's pair: PEM. */
  instanceKey: { publicKey: string; privateKey: string };
  /** Returns the known account or post that a query names. */
  known: (query: string) => Promise<Resolved | undefined>;
  /** Returns a context in the name of federation. */
  context: () => CommandContext;
  remoteAccounts: RemoteAccounts;
  /** The days for which the recipients of a post are stored. */
  receiptDays: number;
  /** See `DeliveryQueue`. */
  leaseSeconds: number;
  /** Returns a context for an incoming activity: a repeat appends nothing twice. */
  commandContext: (command: { commandId: string; remote: string }) => CommandContext;
  /** Returns a command id that is equal for equal texts. */
  commandId: (text: string) => string;
  /** Called with the errors of servers that could not be reached or were not trusted. */
  onRefusal: (error: unknown) => void;
  /** Called with internal errors. */
  onError: (error: unknown) => void;
}

interface RemoteJobs {
  /** Verifies the authorization of a quote again, in jobs named `QUOTE_AUTHORIZATION_JOB`. */
  checkQuoteAuthorization: JobHandler;
  /** Fetches a remote collection, in jobs named `FETCH_COLLECTION`. */
  fetchCollection: JobHandler;
  /** Verifies the authorization of a collection item again, in jobs named `FEATURE_AUTHORIZATION_JOB`. */
  checkFeatureAuthorization: JobHandler;
  /** Fetches the profile of a remote account, in jobs named `REFRESH_PROFILE`. */
  refreshProfile: JobHandler;
  /** Fetches the local followers of a remote account, in jobs named `SYNCHRONIZE_FOLLOWERS`. */
  synchronizeFollowers: JobHandler;
}

export interface Federation extends RemoteJobs {
  keys: ActorKeys;
  /** How the keys of remote actors were read, from and for all processes. */
  news: KeyNews;
  /** The instance actor's public key: PEM. */
  instanceKey: string;
  resolver: Resolver;
  /** Deliveries to other servers. */
  deliveries: DeliveryService;
  /** Returns the verified signer of a request; undefined for a stranger. */
  signerOf(req: IncomingMessage): Promise<Signer | undefined>;
  /**
   * Accepts an activity. Resolves when it is queued or ignored. @throws RookeryError `bad_request`,
   * `unauthorized`, `too_many_requests`
   */
  receive(arrival: Arrival): Promise<void>;
  /** Processes queued activities. */
  inbox: InboxService;
}

/** Creates the federation with other servers. Parts that make requests are loaded with the first request. */
export function createFederation(options: FederationOptions): Federation {
  const keys = new ActorKeys(options.db, options.masterKey);
  const schemes = new SignatureSchemes();
  const news = new KeyNews(options.db, options.onError);
  const deliveries = createDeliveries({
    ...options,
    keys,
    schemes,
    instanceSigner: () => instanceSigner(options),
  });
  const onSigner = (host: string): void => void deliveries.heardFrom(host).catch(options.onError);
  const open = memoizeAsync(() => openRemote(options, { schemes, news, onSigner }));
  const inbox = createInbox({
    ...options,
    perform: memoizeAsync(async () => openInboxWorker(options, await open(), keys)),
  });
  const receiver = memoizeAsync(async () => openInboxEndpoint(options, await open(), inbox));
  return {
    keys,
    news,
    deliveries,
    instanceKey: options.instanceKey.publicKey,
    resolver: {
      resolve: async (query) => (await open()).resolver.resolve(query),
      identify: async (...wanted) => (await open()).resolver.identify(...wanted),
      isGone: async (uri, signal) => (await open()).resolver.isGone(uri, signal),
      repliesTo: async (uri, signal) => (await open()).resolver.repliesTo(uri, signal),
      fetchAncestor: async (...wanted) => (await open()).resolver.fetchAncestor(...wanted),
      introduce: async (...wanted) => (await open()).resolver.introduce(...wanted),
      meet: async (...wanted) => (await open()).resolver.meet(...wanted),
    },
    signerOf: async (req) => {
      if (req.headers.signature === undefined) return undefined;
      const signer = await (await open()).verifier.signerOf(req);
      if (!signer) options.onRefusal(new RemoteError('signed a request in a way that does not hold'));
      return signer;
    },
    receive: async (arrival) => (await receiver()).receive(arrival),
    inbox,
    ...remoteJobs(options, open),
  };
}

/** Returns the jobs that make requests to other servers. */
const remoteJobs = (options: FederationOptions, open: () => Promise<RemoteParts>): RemoteJobs => ({
  checkQuoteAuthorization: async (data, { signal }) => {
    const [{ documents }, { recheckQuoteAuthorization }] = await Promise.all([
      open(),
      import('./remote/quote-authorization-recheck.ts'),
    ]);
    await recheckQuoteAuthorization({ ctx: options.context(), documents, signal }, data);
  },
  checkFeatureAuthorization: async (data, { signal }) => {
    const [{ documents }, { recheckFeatureAuthorization }] = await Promise.all([
      open(),
      import('./remote/feature-authorizations.ts'),
    ]);
    await recheckFeatureAuthorization({ ctx: options.context(), documents, signal }, data);
  },
  fetchCollection: async (data, { signal }) => {
    const [{ others, documents }, { fetchCollection }] = await Promise.all([
      open(),
      import('./remote/featured-items.ts'),
    ]);
    const { context, onRefusal } = options;
    await fetchCollection({ ...others, documents, context, onRefusal, signal }, data);
  },
  refreshProfile: async (data, { signal }) => {
    const [{ others, documents }, { refreshProfile }] = await Promise.all([
      open(),
      import('./remote/profile.ts'),
    ]);
    const { context, onRefusal } = options;
    await refreshProfile({ ...others, documents, context, onRefusal, signal }, data);
  },
  synchronizeFollowers: async (data, { signal }) => {
    const [{ documents }, { synchronizeFollowers }] = await Promise.all([
      open(),
      import('./remote/synchronize-followers.ts'),
    ]);
    const { context, onRefusal } = options;
    await synchronizeFollowers({ documents, context, onRefusal, signal }, data);
  },
});

type RemoteParts = Awaited<ReturnType<typeof openRemote>>;

async function openRemote(
  options: FederationOptions,
  { schemes, news, onSigner }: { schemes: SignatureSchemes; news: KeyNews; onSigner: (host: string) => void },
) {
  const [{ RemoteDocuments }, { RemoteResolver }, { RemoteKeys }, { SignatureVerifier }, sign] =
    await Promise.all([
      import('./remote/documents.ts'),
      import('./remote/resolver.ts'),
      import('./signatures/remote-keys.ts'),
      import('./signatures/verifier.ts'),
      instanceSigner(options),
    ]);
  const { db, http, instance, known, context, onRefusal } = options;
  const others = { http, instance, allows: (host: string) => federationAllowed({ db, instance }, host) };
  const documents = new RemoteDocuments({ ...others, sign, schemes, onRead: (read) => keys.learn(read) });
  const keys = new RemoteKeys(documents, { tell: (actor, fingerprint) => news.tell(actor, fingerprint) });
  news.onNews((actor) => keys.heard(actor));
  return {
    others,
    documents,
    resolver: new RemoteResolver({ ...others, documents, known, context, onRefusal }),
    verifier: new SignatureVerifier({ keys, instance, onSigner }),
  };
}

/** Signs in the name of the server. */
async function instanceSigner({ instance, instanceKey }: FederationOptions): Promise<RequestSigner> {
  const { requestSigner } = await import('./signatures/sign.ts');
  return requestSigner({ keyId: mainKeyUri(`${instance.origin}/actor`), privateKey: instanceKey.privateKey });
}

async function openInboxEndpoint(options: FederationOptions, { verifier }: RemoteParts, inbox: InboxService) {
  const [{ InboxEndpoint }, { FollowersComparison }] = await Promise.all([
    import('./inbox/endpoint.ts'),
    import('./inbox/followers-synchronization.ts'),
  ]);
  const { db, instance, commandId, onRefusal } = options;
  const comparison = new FollowersComparison(options.context);
  return new InboxEndpoint({
    db,
    instance,
    verifier,
    commandId,
    onRefusal,
    keep: inbox.keep,
    compare: (...delivery) => comparison.compare(...delivery).catch(options.onError),
  });
}

async function openInboxWorker(
  options: FederationOptions,
  { others, documents }: RemoteParts,
  keys: ActorKeys,
) {
  const [{ InboxWorker }, { requestSigner }] = await Promise.all([
    import('./inbox/worker.ts'),
    import('./signatures/sign.ts'),
  ]);
  const { commandContext: context, onRefusal } = options;
  return new InboxWorker({
    ...others,
    documents,
    context,
    onRefusal,
    tombstones: new InboxTombstones(options.db),
    signAs: async ({ id, uri }) =>
      requestSigner({ keyId: mainKeyUri(uri), privateKey: await keys.privateKey(id) }),
  });
}
