import pg from 'pg';
import type { Notifications, Subscription } from '#kernel/listening.ts';

interface NotificationsOptions {
  /** Called when the connection is lost, and at each failed attempt to reconnect. */
  onOutage?: (error: unknown) => void;
}

/**
 * LISTEN for a whole process on one connection, which reconnects with back-off until it is closed. Postgres
 * wakes every listening connection for every notification, whatever its channel, so a second one would cost
 * as much again. Resolves once the first connection is open.
 */
export async function openNotifications(
  url: string,
  options: NotificationsOptions = {},
): Promise<Notifications> {
  const notifications = new ListeningConnection(url, options);
  await notifications.connect();
  return notifications;
}

/** Milliseconds before the first attempt to reconnect; they double up to the maximum. */
const [FIRST_DELAY, MAX_DELAY] = [50, 5_000];

class ListeningConnection implements Notifications {
  readonly #url: string;
  readonly #onOutage: NotificationsOptions['onOutage'];
  readonly #subscriptions: Subscription[] = [];
  #client: pg.Client | undefined;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #delay = FIRST_DELAY;

  constructor(url: string, { onOutage }: NotificationsOptions) {
    this.#url = url;
    this.#onOutage = onOutage;
  }

  async connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: this.#url,
      application_name: 'rookery listener',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    next.on('error', (error) => this.#onOutage?.(error));
    next.on('end', () => this.#onEnd(next));
    next.on('notification', ({ channel, payload }) => {
      for (const each of this.#subscriptions) {
        if (each.channel === channel) each.onNotification(payload ?? '');
      }
    });
    await next.connect();
    // Covers subscriptions that are made during these statements, too.
    for (const { channel } of this.#subscriptions) await next.query(`listen ${channel}`);
    this.#client = next;
    this.#delay = FIRST_DELAY;
    for (const { onConnected } of this.#subscriptions) onConnected?.();
  }

  async subscribe(subscription: Subscription): Promise<void> {
    this.#subscriptions.push(subscription);
    // Without a connection, the next one will listen.
    if (!this.#client) return;
    await this.#client.query(`listen ${subscription.channel}`);
    subscription.onConnected?.();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  #onEnd(client: pg.Client): void {
    if (this.#client === client) {
      this.#client = undefined;
      if (!this.#isClosed) for (const { onDisconnected } of this.#subscriptions) onDisconnected?.();
    }
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    if (this.#isClosed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.connect().catch((error: unknown) => {
        this.#onOutage?.(error);
        this.#reconnectLater();
      });
    }, this.#delay);
    this.#delay = Math.min(this.#delay * 2, MAX_DELAY);
  }
}
