import pg from 'pg';
import type { Notifications, Subscription } from '../../kernel/listening.ts';

/**
 * LISTEN for a whole process on one connection, which reconnects with back-off until it is closed. Postgres
 * wakes every listening connection for every notification, whatever its channel, so a second one would cost
 * as much again. Resolves once the first connection is open.
 * @param options.onOutage called when the connection is lost, and at each failed attempt to reconnect
 */
export async function openNotifications(
  url: string,
  { onOutage }: { onOutage?: (error: unknown) => void } = {},
): Promise<Notifications> {
  const subscriptions: Subscription[] = [];
  let client: pg.Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let delay = 50;

  const reconnectLater = (): void => {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().catch((error: unknown) => {
        onOutage?.(error);
        reconnectLater();
      });
    }, delay);
    delay = Math.min(delay * 2, 5_000);
  };

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'rookery listener',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    next.on('error', (error) => onOutage?.(error));
    next.on('end', () => {
      if (client === next) {
        client = undefined;
        if (!closed) for (const { onDisconnected } of subscriptions) onDisconnected?.();
      }
      reconnectLater();
    });
    next.on('notification', ({ channel, payload }) => {
      for (const each of subscriptions) if (each.channel === channel) each.onNotification(payload ?? '');
    });
    await next.connect();
    // Covers subscriptions that are made meanwhile, too.
    for (const { channel } of subscriptions) await next.query(`listen ${channel}`);
    client = next;
    delay = 50;
    for (const { onConnected } of subscriptions) onConnected?.();
  };

  await connect();
  return {
    async subscribe(subscription) {
      subscriptions.push(subscription);
      // Without a connection, the next one will listen.
      if (!client) return;
      await client.query(`listen ${subscription.channel}`);
      subscription.onConnected?.();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
