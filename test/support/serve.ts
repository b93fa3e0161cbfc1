import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { serveRequests } from '#interfaces/http/unread-bodies.ts';

export interface Served {
  origin: string;
  port: number;
  server: Server;
  close(): Promise<void>;
}

/** Serves an Express application, configured by `build`, on a free port of loopback. */
export async function serve(build: (app: Express) => void): Promise<Served> {
  const app = express();
  build(app);
  const server = createServer();
  serveRequests(server, app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    server,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
