import { federationAllowed, type RemoteAccounts, type Signer } from '../../queries/federation/index.ts';
import type { IncomingMessage } from 'node:http';
import type { CommandContext, Instance } from '../kernel/context.ts';
import type { Db } from '../kernel/read.ts';
import type { HttpClient, Resolved, Resolver } from '../kernel/services.ts';
import { ActorKeys } from './actor-keys.ts';
import { createDeliveries, type DeliveryService } from './delivery/deliveries.ts';
import { Refusal } from './remote/refusal.ts';
import type { RequestSigner } from './signatures/sign.ts';

export interface FederationOptions {
  db: Db;
  http: HttpClient;
  instance: Instance;
  /** Wraps the keys of accounts. */
  masterKey: Buffer;
  /** The instance actor's pair: PEM. */
  instanceKey: { publicKey: string; privateKey: string };
  /** What a query names, as far as that is known here. */
  known: (query: string) => Promise<Resolved | undefined>;
  /** A context in the name of this part of the server. */
  context: () => CommandContext;
  remoteAccounts: RemoteAccounts;
  /** For how many days it is remembered who was sent a post. */
  receiptDays: number;
  /** Told why another server could not be asked, or what was not believed. */
  onRefusal: (error: unknown) => void;
  /** Told what went wrong here. */
  onError: (error: unknown) => void;
}

export interface Federation {
  keys: ActorKeys;
  /** The instance actor's public key: PEM. */
  instanceKey: string;
  resolver: Resolver;
  /** What this server tells others. */
  deliveries: DeliveryService;
  /** Whose verified signature a request carries; undefined for a stranger. */
  signerOf(req: IncomingMessage): Promise<Signer | undefined>;
}

/** What this server is to others, and how it asks them. What asking needs is loaded with the first question. */
export function createFederation(options: FederationOptions): Federation {
  let others: ReturnType<typeof openOthers> | undefined;
  const open = (): ReturnType<typeof openOthers> => (others ??= openOthers(options));
  const keys = new ActorKeys(options.db, options.masterKey);
  const deliveries = createDeliveries({ ...options, keys, instanceSigner: () => instanceSigner(options) });
  return {
    keys,
    deliveries,
    instanceKey: options.instanceKey.publicKey,
    resolver: {
      resolve: async (query) => (await open()).resolver.resolve(query),
      repliesTo: async (uri, signal) => (await open()).resolver.repliesTo(uri, signal),
    },
    signerOf: async (req) => {
      if (req.headers.signature === undefined) return undefined;
      const signer = await (await open()).verifier.signerOf(req);
      if (!signer) options.onRefusal(new Refusal('signed a request in a way that does not hold'));
      else deliveries.heardFrom(signer.host).catch(options.onError);
      return signer;
    },
  };
}

async function openOthers(options: FederationOptions) {
  const [{ RemoteDocuments }, { RemoteResolver }, { RemoteKeys }, { SignatureVerifier }, sign] =
    await Promise.all([
      import('./remote/documents.ts'),
      import('./remote/resolver.ts'),
      import('./signatures/remote-keys.ts'),
      import('./signatures/verifier.ts'),
      instanceSigner(options),
    ]);
  const { db, http, instance, known, context, onRefusal } = options;
  const others = {
    ...{ http, instance },
    allows: (host: string) => federationAllowed({ db, instance }, host),
  };
  const documents = new RemoteDocuments({ ...others, sign });
  return {
    resolver: new RemoteResolver({
      ...{ ...others, documents, known, context, onRefusal },
    }),
    verifier: new SignatureVerifier({ keys: new RemoteKeys(documents), instance }),
  };
}

/** Signs in the name of the server. */
async function instanceSigner({ instance, instanceKey }: FederationOptions): Promise<RequestSigner> {
  const { requestSigner } = await import('./signatures/sign.ts');
  return requestSigner({
    keyId: `${instance.origin}/actor#main-key`,
    privateKey: instanceKey.privateKey,
  });
}
