import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { hardenServer } from './fallbacks.ts';
import { serveRequests } from './unread-bodies.ts';

export interface HttpServer {
  /** The address: `http://host:port`. */
  url: string;
  close(): Promise<void>;
}

/** Handles connections that request another protocol (`Upgrade`). Others are answered as normal requests. */
export interface Upgrades {
  wants: (req: IncomingMessage) => boolean;
  take: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Milliseconds that open requests get when the server closes. */
const PATIENCE = 5_000;

/** Listens on an address; port 0 picks a free one. */
export function listen(
  handler: RequestListener,
  { bind, port }: { bind: string; port: number },
  upgrades?: Upgrades,
): Promise<HttpServer> {
  const server = createServer({ shouldUpgradeCallback: upgrades?.wants ?? (() => false) });
  serveRequests(server, handler);
  if (upgrades) server.on('upgrade', upgrades.take);
  hardenServer(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, bind, () => {
      const { address, port: actual, family } = server.address() as AddressInfo;
      const host = family === 'IPv6' ? `[${address}]` : address;
      resolve({ url: `http://${host}:${actual}`, close: () => closeGently(server) });
    });
  });
}

/** Lets open requests end; closes idle connections, and those of open requests as soon as they are idle. */
function closeGently(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), PATIENCE);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
    // Node reads these when a reply is sent. Zero would mean no limit.
    server.keepAliveTimeout = 1;
    server.keepAliveTimeoutBuffer = 0;
  });
}
