import pino from 'pino';
import type { App } from '#app/app.ts';
import {
  buildPast,
  openPast,
  type Past,
  type PastServerOptions,
  pointAt,
  startPastServer,
} from '#app/as-of/index.ts';
import { checkReply } from '../support/reply-check.ts';

export interface Reply {
  status: number;
  headers: Headers;
  // Replies are checked against their schema, as in the test server.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** A past server of a test server. */
export interface Served {
  past: Past;
  url: string;
  call(method: string, path: string, options?: { token?: string; headers?: object }): Promise<Reply>;
  get(path: string, token?: string): Promise<Reply>;
  close(): Promise<void>;
}

/**
 * Builds the read models of a position and serves them, by default to everyone. `moment` (ISO 8601) is the
 * current time there, by default the time of the event.
 */
export async function servePast(
  { config, log, projectionDb }: App,
  position: bigint,
  moment?: string,
  audience: PastServerOptions['audience'] = 'everyone',
  viewer?: PastServerOptions['viewer'],
): Promise<Served> {
  const point = await pointAt(log, { position });
  await buildPast({ log, db: projectionDb, point });
  const past = await openPast(config, config.database.url ?? '', { ...point, ...(moment ? { moment } : {}) });
  if (!past) throw new Error(`Position ${position} was not built`);
  const server = await startPastServer(
    past,
    { bind: '127.0.0.1', port: 0, audience, viewer },
    pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
  );
  const call: Served['call'] = async (method, path, { token, headers } = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    if (response.ok && isJson && text !== '') checkReply(method, path, body);
    return { status: response.status, headers: response.headers, body };
  };
  return {
    past,
    url: server.url,
    call,
    get: (path, token) => call('GET', path, token === undefined ? {} : { token }),
    close: async () => {
      await server.close();
      await past.close();
    },
  };
}
