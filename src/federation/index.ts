import { federationAllowed, type Signer } from '../../queries/federation/index.ts';
import type { IncomingMessage } from 'node:http';
import type { JobHandler } from '../jobs/handler.ts';
import type { CommandContext, Instance } from '../kernel/context.ts';
import type { Db } from '../kernel/read.ts';
import type { HttpClient, Jobs, Resolved, Resolver } from '../kernel/services.ts';
import { ActorKeys } from './actor-keys.ts';
import { Refusal } from './remote/refusal.ts';

export { INBOX_JOB, INBOX_RUNNING } from './inbox/letter.ts';

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
  /** One for what another server sent: the same command appends nothing twice. */
  commandContext: (command: { commandId: string; remote: string }) => CommandContext;
  /** An id of a command that is the same for the same text. */
  commandId: (text: string) => string;
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
  /**
   * Takes an activity in; `text` is its body. Returns when it is kept, or changes nothing.
   * @throws RookeryError `bad_request`, `unauthorized`, `too_many_requests`
   */
  receive(req: IncomingMessage, body: Buffer, text: string): Promise<void>;
  /** Carries out what was taken in: the jobs named `INBOX_JOB`. */
  perform: JobHandler;
}

/** What this server is to others, and how it asks them. What asking needs is loaded with the first question. */
export function createFederation(options: FederationOptions): Federation {
  const open = once(() => openOthers(options));
  const receiver = once(() => openReceiver(options, open));
  const performer = once(() => openPerformer(options, open));
  return {
    keys: new ActorKeys(options.db, options.masterKey),
    instanceKey: options.instanceKey.publicKey,
    resolver: { resolve: async (query) => (await open()).resolver.resolve(query) },
    signerOf: async (req) => {
      if (req.headers.signature === undefined) return undefined;
      const signer = await (await open()).verifier.signerOf(req);
      if (!signer) options.onRefusal(new Refusal('signed a request in a way that does not hold'));
      return signer;
    },
    receive: async (...request) => (await receiver()).receive(...request),
    perform: async (...job) => (await performer()).perform(...job),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

type Others = Awaited<ReturnType<typeof openOthers>>;

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
    ...{ others, documents },
    resolver: new RemoteResolver({ ...others, documents, known, context, onRefusal }),
    verifier: new SignatureVerifier({ keys: new RemoteKeys(documents), instance }),
  };
}

const jobsOf =
  ({ context }: FederationOptions) =>
  (): Jobs =>
    context().services.jobs;

async function openReceiver(options: FederationOptions, open: () => Promise<Others>) {
  const [{ Receiver }, { verifier }] = await Promise.all([import('./inbox/receive.ts'), open()]);
  const { db, instance, commandId, onRefusal } = options;
  return new Receiver({ db, instance, verifier, commandId, onRefusal, jobs: jobsOf(options) });
}

async function openPerformer(options: FederationOptions, open: () => Promise<Others>) {
  const [{ Performer }, { others, documents }] = await Promise.all([import('./inbox/perform.ts'), open()]);
  const { commandContext: context, onRefusal } = options;
  return new Performer({ ...others, documents, context, onRefusal, jobs: jobsOf(options) });
}
