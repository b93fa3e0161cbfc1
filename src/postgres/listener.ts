import pg from 'pg';

/** LISTEN on its own connection, reconnecting with back-off for as long as it is open. */
export interface Listener {
  close(): Promise<void>;
}

export interface ListenerOptions {
  url: string;
  applicationName: string;
  channels: readonly string[];
  onNotification: (channel: string, payload: string) => void;
  /** Called after every (re)connect, when notifications may have been missed. */
  onConnected?: () => void;
}

/** Opens a listener. Resolves once the first connection listens. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  let client: pg.Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let delay = 50;

  const reconnectLater = (): void => {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().catch(reconnectLater);
    }, delay);
    delay = Math.min(delay * 2, 5_000);
  };

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: options.applicationName,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    next.on('error', () => undefined);
    next.on('end', () => {
      if (client === next) client = undefined;
      reconnectLater();
    });
    next.on('notification', ({ channel, payload }) => options.onNotification(channel, payload ?? ''));
    await next.connect();
    for (const channel of options.channels) await next.query(`listen ${channel}`);
    client = next;
    delay = 50;
    options.onConnected?.();
  };

  await connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
