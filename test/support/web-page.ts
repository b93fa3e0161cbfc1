import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site on loopback that records its requests. */
export interface WebPage {
  /** Answers all requests; tests may replace it at any time. */
  answer: RequestListener;
  /** The requested paths, oldest first. */
  requests: string[];
  here: (path: string, host?: string) => string;
  close: () => void;
}

/** Starts a site at a free port, on all addresses of loopback. */
export async function startWebPage(): Promise<WebPage> {
  const server = createServer((req, res) => {
    page.requests.push(req.url ?? '');
    page.answer(req, res);
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const page: WebPage = {
    answer: (_req, res) => void res.writeHead(404).end(),
    requests: [],
    here: (path, host = '127.0.0.1') => `http://${host}:${port}${path}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return page;
}
