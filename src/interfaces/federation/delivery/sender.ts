import { LRUCache } from 'lru-cache';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type { ActorKeys } from '../actor-keys.ts';
import { mainKeyUri } from '../documents/key-uris.ts';
import { ACTIVITY_JSON } from '../negotiation.ts';
import { SignatureSchemes } from '../signatures/schemes.ts';
import { type RequestSigner, requestSigner } from '../signatures/sign.ts';
import { type Outcome, outcomeOf, outcomeOfError } from './outcome.ts';
import type { FollowersSynchronization } from './synchronization.ts';

export interface SenderOptions {
  http: HttpClient;
  keys: Pick<ActorKeys, 'privateKey' | 'retiredKey' | 'onRotated' | 'rotations'>;
  /** Signs in the name of the server. */
  instanceSigner: RequestSigner;
  schemes?: SignatureSchemes;
  synchronization?: Pick<FollowersSynchronization, 'headers'>;
}

/** One activity for one inbox. */
export interface Delivery {
  inbox: string;
  /** The account whose key signs; null for the server's own. */
  sender: string | null;
  /** The account's former key, which signs instead of the present one. */
  retired_key?: string | null;
  activity_id?: string;
  /** It is for followers of the account only. */
  followers_only?: boolean;
  /** The URI of the acting account. */
  actor: string;
  /** JSON. */
  document: string;
}

/** Milliseconds for the whole exchange. */
const DEADLINE = 10_000;

/** Posts signed activities to inboxes: https://docs.joinmastodon.org/spec/security/#http */
export class Sender {
  readonly #options: SenderOptions;
  /** By account: reading and unwrapping a key for each request would be expensive. */
  readonly #signers = new LRUCache<string, RequestSigner>({ max: 1_000 });

  readonly #schemes: SignatureSchemes;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#schemes = options.schemes ?? new SignatureSchemes();
    options.keys.onRotated((accountId) => {
      if (accountId === undefined) this.#signers.clear();
      else this.#signers.delete(accountId);
    });
  }

  /** Throws internal errors, such as an outage of the database. */
  async send(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const sign = await this.#signerOf(delivery);
    const { document: body, inbox } = delivery;
    const more = await this.#synchronizationOf(delivery);
    try {
      const { status, headers } = await this.#schemes.send(new URL(inbox).host, (scheme) =>
        this.#options.http.fetch(inbox, {
          method: 'POST' as const,
          body,
          signal,
          headers: (url) => sign(url, { 'content-type': ACTIVITY_JSON, ...more }, body, scheme),
          deadline: DEADLINE,
          withoutBody: true,
        }),
      );
      return outcomeOf(status, headers);
    } catch (error) {
      // This server stops, which is no outcome of the other one.
      if (signal.aborted) throw error;
      return outcomeOfError(error);
    }
  }

  async #synchronizationOf(delivery: Delivery): Promise<Record<string, string>> {
    const { sender, actor, inbox, followers_only: isForFollowers = false, activity_id = '' } = delivery;
    const { synchronization } = this.#options;
    if (!isForFollowers || sender === null || !synchronization) return {};
    return synchronization.headers({ id: sender, uri: actor }, { inbox, activity_id });
  }

  async #signerOf({ sender, actor, retired_key: retired = null }: Delivery): Promise<RequestSigner> {
    const { keys, instanceSigner } = this.#options;
    if (sender === null) return instanceSigner;
    const keyId = mainKeyUri(actor);
    const former = retired === null ? undefined : await keys.retiredKey(retired);
    if (former) return requestSigner({ keyId, privateKey: former });
    const known = this.#signers.get(sender);
    if (known) return known;
    const before = keys.rotations;
    const signer = requestSigner({ keyId, privateKey: await keys.privateKey(sender) });
    if (before === keys.rotations) this.#signers.set(sender, signer);
    return signer;
  }
}
