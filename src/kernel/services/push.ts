/**
 * The accounts that may cause a push: all, those that the subscriber follows, the subscriber's followers,
 * none.
 */
export type PushPolicy = 'all' | 'followed' | 'follower' | 'none';

/** The subscription that an app requests. Keys are base64url: a point of P-256 and 16 bytes. */
export interface NewPushSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** By RFC 8291 and 8292; else by their drafts, as Mastodon did before 4.4. */
  standard: boolean;
  /** Types of notifications. */
  alerts: readonly string[];
  policy: PushPolicy;
  /** The token in clear text, for apps that choose the account by it; null for those that do not. */
  bearer: string | null;
}

/** Where to push notifications: durable, never in the log. A token has one subscription at most, which goes with it. */
export interface PushSubscriptions {
  /** True when this process knows of no subscription: then no lookup is needed. */
  readonly none: boolean;
  /** In place of the token's earlier one, and of others of the account at the same endpoint. */
  create(owner: { tokenId: string; accountId: string }, subscription: NewPushSubscription): Promise<void>;
  /** Replaces what is given. @throws RookeryError `not_found` without a subscription */
  change(tokenId: string, data: { alerts?: readonly string[]; policy?: PushPolicy }): Promise<void>;
  remove(tokenId: string): Promise<void>;
  /** Remembers what became of a notification; subscriptions by id. Those that are refused or fail too often are removed. */
  record(
    notificationId: string,
    outcome: Readonly<Record<'sent' | 'gone' | 'refused' | 'failed', readonly string[]>>,
  ): Promise<void>;
}

/** A subscription as its messages are encrypted for it; `secrets` as stored. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  secrets: Buffer;
  standard: boolean;
}

/** The notification as an app shows it. */
export interface PushMessage {
  notification_id: string;
  notification_type: string;
  preferred_locale: string;
  /** A URL. */
  icon: string;
  title: string;
  body: string;
}

/**
 * `gone`: the subscription ended; `refused`: it would be again; `failed`: it may work in some seconds; `away`: its push service is
 * away, or asks to wait, so trying is of no use before `PushSender.pause` is over.
 */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'failed' | 'away';

export interface PushSender {
  send(target: PushTarget, message: PushMessage, signal: AbortSignal): Promise<PushOutcome>;
  /** Milliseconds for which nothing is sent to an endpoint; 0 for not at all. */
  pause(endpoint: string): number;
}
