/** A listener on one channel. */
export interface Subscription {
  channel: string;
  onNotification: (payload: string) => void;
  /** Called once it listens and after every reconnect, when notifications may have been missed. */
  onConnected?: () => void;
  /** Called when the connection is lost: until the next one, nothing is heard. */
  onDisconnected?: () => void;
}

/** The notifications that this process hears. */
export interface Notifications {
  /** Listens on a channel. Resolves once it does. */
  subscribe(subscription: Subscription): Promise<void>;
  close(): Promise<void>;
}
