import { federationAllowed, type Signer } from '../../queries/federation/index.ts';
import type { IncomingMessage } from 'node:http';
import type { CommandContext, Instance } from '../kernel/context.ts';
import type { Db } from '../kernel/read.ts';
import type { HttpClient, Resolved, Resolver } from '../kernel/services.ts';
import { ActorKeys } from './actor-keys.ts';
import { Refusal } from './remote/refusal.ts';

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
  /** Told why another server could not be asked, or what was not believed. */
  onRefusal: (error: unknown) => void;
}

export interface Federation {
  keys: ActorKeys;
  /** The instance actor's public key: PEM. */
  instanceKey: string;
  resolver: Resolver;
  /** Whose verified signature a request carries; undefined for a stranger. */
  signerOf(req: IncomingMessage): Promise<Signer | undefined>;
}

/** What this server is to others, and how it asks them. What asking needs is loaded with the first question. */
export function createFederation(options: FederationOptions): Federation {
  let others: ReturnType<typeof openOthers> | undefined;
  const open = (): ReturnType<typeof openOthers> => (others ??= openOthers(options));
  return {
    keys: new ActorKeys(options.db, options.masterKey),
    instanceKey: options.instanceKey.publicKey,
    resolver: {
      resolve: async (query) => (await open()).resolver.resolve(query),
      repliesTo: async (uri, signal) => (await open()).resolver.repliesTo(uri, signal),
    },
    signerOf: async (req) => {
      if (req.headers.signature === undefined) return undefined;
      const signer = await (await open()).verifier.signerOf(req);
      if (!signer) options.onRefusal(new Refusal('signed a request in a way that does not hold'));
      return signer;
    },
  };
}

async function openOthers(options: FederationOptions) {
  const [{ RemoteDocuments }, { RemoteResolver }, { RemoteKeys }, { requestSigner }, { SignatureVerifier }] =
    await Promise.all([
      import('./remote/documents.ts'),
      import('./remote/resolver.ts'),
      import('./signatures/remote-keys.ts'),
      import('./signatures/sign.ts'),
      import('./signatures/verifier.ts'),
    ]);
  const { db, http, instance, known, context, onRefusal } = options;
  const sign = requestSigner({
    keyId: `${instance.origin}/actor#main-key`,
    privateKey: options.instanceKey.privateKey,
  });
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
