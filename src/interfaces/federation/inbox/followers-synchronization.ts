import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { synchronizeFollowersLater } from '#commands/federation/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import { atMost } from '#kernel/lru.ts';
import { followersDigestHere, type KnownActor } from '#queries/federation/index.ts';
import { SYNCHRONIZATION_HEADER } from '../delivery/synchronization.ts';
import { parametersOf, type SignatureClaim } from '../signatures/signed-request.ts';
import type { VerifiedSigner } from '../signatures/verifier.ts';

const MAX_HEADER = 8_192;
const HEADER = /^\s*[A-Za-z]+="[^"]*"(?:\s*,\s*[A-Za-z]+="[^"]*")*\s*$/;
const PARAMETER = /([A-Za-z]+)="([^"]*)"/g;
const NAMES = ['collectionId', 'digest', 'url'];
const DIGEST = /^[0-9a-f]{64}$/i;

/** Within this many milliseconds, an actor is asked once, and a host at most `MAX_OF_HOST` times. */
const WINDOW = 10 * 60_000;
const MAX_OF_HOST = 60;

/** The sender of a delivery. */
interface Sender {
  known: KnownActor;
  signer: VerifiedSigner;
  claim: SignatureClaim;
}

/**
 * Compares the digest of local followers that another server sends with the one computed here. If they
 * differ, a job fetches the list (FEP-8fcf).
 */
export class FollowersComparison {
  readonly #context: () => CommandContext;
  readonly #asked = new LRUCache<string, number>({ ...atMost(20_000), ttl: WINDOW, noUpdateTTL: true });

  constructor(context: () => CommandContext) {
    this.#context = context;
  }

  /** Queues the job if the signed header names a digest other than the one computed here. */
  async compare({ rawHeaders }: IncomingMessage, { known, signer, claim }: Sender): Promise<void> {
    const said = claim.covered.includes(SYNCHRONIZATION_HEADER) ? saidIn(rawHeaders) : undefined;
    if (!said || said.collectionId !== signer.followers) return;
    if (URL.parse(said.url)?.origin !== new URL(signer.uri).origin || this.#isAskedOften(signer)) return;
    const ctx = this.#context();
    if ((await followersDigestHere(ctx.db, known.id)) === said.digest) return;
    this.#count(signer.uri);
    this.#count(signer.host);
    const { url, digest } = said;
    await synchronizeFollowersLater(ctx, { accountId: known.id, url, digest, host: signer.host });
  }

  #isAskedOften({ uri, host }: VerifiedSigner): boolean {
    return this.#asked.has(uri) || (this.#asked.get(host) ?? 0) >= MAX_OF_HOST;
  }

  #count(name: string): void {
    this.#asked.set(name, (this.#asked.get(name) ?? 0) + 1);
  }
}

interface Said {
  collectionId: string;
  digest: string;
  url: string;
}

/** Reads the header. Returns undefined if it is missing or malformed. */
function saidIn(rawHeaders: readonly string[]): Said | undefined {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === SYNCHRONIZATION_HEADER,
  );
  const [header = ''] = values;
  if (values.length !== 1 || header.length > MAX_HEADER || !HEADER.test(header)) return undefined;
  const pairs = [...header.matchAll(PARAMETER)].map(([, name = '', value = '']) => [name, value] as const);
  const parameters = parametersOf(
    pairs.filter(([name]) => NAMES.includes(name)),
    NAMES,
  );
  const [collectionId, digest = '', url] = NAMES.map((name) => parameters?.get(name));
  if (collectionId === undefined || url === undefined || !DIGEST.test(digest)) return undefined;
  return { collectionId, digest: digest.toLowerCase(), url };
}
