import { LRUCache } from 'lru-cache';
import type { HttpClient } from '../../kernel/services/http-client.ts';
import type { ActorKeys } from '../actor-keys.ts';
import { ACTIVITY_JSON } from '../negotiation.ts';
import { requestSigner, type RequestSigner } from '../signatures/sign.ts';
import { outcomeOf, outcomeOfError, type Outcome } from './outcome.ts';

export interface SenderOptions {
  http: HttpClient;
  keys: Pick<ActorKeys, 'privateKey'>;
  /** Signs in the name of the server. */
  instanceSigner: RequestSigner;
}

/** One activity on its way to one inbox. */
export interface Letter {
  inbox: string;
  /** The account whose key signs; null for the server's own. */
  sender: string | null;
  /** The URI of who acts. */
  actor: string;
  /** JSON. */
  document: string;
}

/** Milliseconds for the whole exchange. */
const DEADLINE = 10_000;
/** What a server says besides its status is of no interest. */
const MAX_REPLY = 1_024;

/** Posts signed activities to inboxes: https://docs.joinmastodon.org/spec/security/#http */
export class Sender {
  readonly #options: SenderOptions;
  /** By account: reading and unwrapping a key for each request would be work. */
  readonly #signers = new LRUCache<string, RequestSigner>({ max: 1_000 });

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** @throws what is the fault of this server, such as a database that is away */
  async send(letter: Letter, signal: AbortSignal): Promise<Outcome> {
    const sign = await this.#signerOf(letter);
    const { document: body, inbox } = letter;
    try {
      const { status, headers } = await this.#options.http.fetch(inbox, {
        method: 'POST' as const,
        body,
        signal,
        headers: (url) => sign(url, { 'content-type': ACTIVITY_JSON }, body),
        deadline: DEADLINE,
        maxBytes: MAX_REPLY,
        truncate: true,
      });
      return outcomeOf(status, headers);
    } catch (error) {
      // This server stops: that says nothing of the other one.
      if (signal.aborted) throw error;
      return outcomeOfError(error);
    }
  }

  async #signerOf({ sender, actor }: Letter): Promise<RequestSigner> {
    const { keys, instanceSigner } = this.#options;
    if (sender === null) return instanceSigner;
    const known = this.#signers.get(sender);
    if (known) return known;
    const signer = requestSigner({
      keyId: `${actor}#main-key`,
      privateKey: await keys.privateKey(sender),
    });
    this.#signers.set(sender, signer);
    return signer;
  }
}
