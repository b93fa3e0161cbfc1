import type { HostBudget } from '../host-budget.ts';

/** Resolves an address or a handle. It does not check whether a reader may see the result. */
export interface Resolver {
  /**
   * Looks for what `query` names: the web address or ActivityPub id of an account or a post, or a handle (`alice@far.example`,
   * with a leading `@` or `acct:` or without). Undefined where there is no such thing. May take as long as another
   * server does; what it found is in the read models then.
   */
  resolve(query: string): Promise<Resolved | undefined>;
  /**
   * Asks the account's server what it says of the account now, by web address, ActivityPub id or handle.
   * Undefined when there is no such account, when it is suspended here, or when its server does not answer;
   * never used for local accounts. With a budget its profile is not fetched.
   */
  identify(query: string, budget?: HostBudget): Promise<Identified | undefined>;
  /**
   * Tells whether the server of an account or a post says that it is gone for good, or does not have it. Undefined where it cannot be
   * asked.
   */
  isGone(uri: string, signal: AbortSignal): Promise<boolean | undefined>;
  /**
   * Returns the URIs of replies that the server of a post names, 1,000 at most, and how many requests that took; none where it cannot
   * be asked.
   */
  repliesTo(uri: string, signal: AbortSignal): Promise<{ uris: readonly string[]; requests: number }>;
  /**
   * Makes a post known that a known post answers, and has `left` ancestors of it fetched. `busy`: its server is being asked for others;
   * `away`: it does not answer, or was asked often lately. `done` also where the budget is spent.
   */
  fetchAncestor(
    uri: string,
    left: number,
    signal: AbortSignal,
    budget?: HostBudget,
  ): Promise<'done' | 'busy' | 'away'>;
  /**
   * Makes the account known that a URI (also `acct:`), or the address of a profile, leads to. Outcomes are those of `fetchAncestor`; without an account
   * where there is none to be had.
   */
  introduce(uri: string, signal: AbortSignal, budget?: HostBudget): Promise<Introduced>;
  /**
   * Makes the account of a handle known (`alice@far.example`) that the local user `by` wrote. Outcomes are those of `introduce`;
   * without an account also when the user named many unknown accounts of that host lately.
   */
  meet(handle: string, by: string): Promise<Introduced>;
}

/** How an account became known, if it did. */
export type Introduced = { outcome: 'done'; account: string | undefined } | { outcome: 'busy' | 'away' };
/** The public keys of a local account. */
export interface PublicKeys {
  /** RSA, which signs requests: SPKI, PEM. */
  publicKeyPem: string;
  /** Ed25519, which proves activities: the `publicKeyMultibase` of a Multikey. */
  assertionKey: string;
}

/** The keys by which others check the signatures of local accounts. */
export interface ActorPublicKeys {
  /** Made when first asked for. */
  publicKeys(accountId: string): Promise<PublicKeys>;
  /**
   * Returns the activity with a proof and a Linked Data signature of its actor, the account. A server that passes it on can prove by it who made it.
   * https://docs.joinmastodon.org/spec/security/#ld
   */
  signed(accountId: string, activity: OutgoingActivity['document']): Promise<OutgoingActivity['document']>;
  /** Returns the activity with an object integrity proof of its actor, the account (FEP-8b32). */
  proven(accountId: string, activity: OutgoingActivity['document']): Promise<OutgoingActivity['document']>;
  /**
   * Makes new pairs; the former RSA pair is kept for some days under `retiredId`.
   * @returns the new public keys; undefined for an account that has no key yet
   */
  rotate(accountId: string, retiredId: string): Promise<PublicKeys | undefined>;
}

/** An activity of this server that others are to be told of. */
export interface OutgoingActivity {
  /** The same key is the same activity: it is stored once, however often its cause comes. */
  key: string;
  /** The subject: an inbox receives the activities of one subject in the order in which they were queued. */
  subject: string;
  /** The account that signs it; null for the server itself. The document names its actor. */
  sender: string | null;
  /** The post or reblog that it spreads: its recipients are remembered. */
  statusId: string | null;
  /** It ends a follow: it goes out also where staff suspended the server meanwhile. */
  farewell?: boolean;
  /** The former key of the sender that signs it, instead of the present one. */
  retiredKey?: string | null;
  /** It is for followers of the sender alone: receivers are told which followers they have (FEP-8fcf). */
  followersOnly?: boolean;
  /** Seconds that it waits at least; what follows it in the order of its subject waits with it. */
  after?: number;
  document: { readonly actor: string } & Readonly<Record<string, unknown>>;
}

/** Failures in a row after which a host counts as down: then one attempt at a time, at growing intervals. */
export const DOWN_AFTER = 3;

/** Activities on their way to other servers: durable, never in the log. */
export interface Deliveries {
  /** True where no account of another server is known, as far as this process has heard: then nothing needs to be looked up. */
  readonly none: boolean;
  /** For how many days it is remembered who was sent a post. */
  readonly receiptDays: number;
  /** Called by the reader of the log for a remote account: from then on remote accounts exist. */
  somebody(): void;
  /** Stores one delivery for each inbox, a URL each; all or none. */
  queue(activity: OutgoingActivity, inboxes: readonly string[]): Promise<void>;
  /** Drops undelivered activities of a post or reblog. */
  cancel(statusId: string): Promise<void>;
  /** A host, with its port, sent something that it signed: what waits for it goes out. */
  heardFrom(host: string): Promise<void>;
  /** Makes what waits for a host due now, although it may not answer. */
  retryHost(host: string): Promise<void>;
  /** Removes what waits for a host, but for what is being sent. */
  giveUp(host: string): Promise<void>;
}

/** Ids of what is known here by now. */
export interface Resolved {
  account?: string;
  status?: string;
}

/** An account of another server, known here by now. */
export interface Identified {
  account: string;
  /** The URIs of accounts that it names as the same person's. */
  alsoKnownAs: readonly string[];
  /** It goes on as another account. */
  hasMoved: boolean;
}
