/** A listener on one channel. */
export interface Subscription {
  channel: string;
  onNotification: (payload: string) => void;
  /** Called once it listens and after every reconnect, when notifications may have been missed. */
  onConnected?: () => void;
  /** Called when the connection is lost: notifications are missed until the next one. */
  onDisconnected?: () => void;
}

/** The notifications of Postgres for this process. */
export interface Notifications {
  /** Listens on a channel. Resolves once it listens. */
  subscribe(subscription: Subscription): Promise<void>;
  close(): Promise<void>;
}
