import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TranslationServer {
  endpoint: string;
  /** The requests received: path, headers, body. */
  requests: { path: string; headers: IncomingMessage['headers']; body: string }[];
  /** Replies with this status and body instead of translating, unless null. */
  failure: { status: number; body: string } | null;
  close(): Promise<void>;
}

interface Reply {
  path: string;
  body: string;
}

/** A server on loopback that answers like a translation service. */
export async function startTranslationServer(
  answer: (request: Reply) => unknown,
): Promise<TranslationServer> {
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => (body += chunk));
    req.on('end', () => {
      const path = req.url ?? '';
      started.requests.push({ path, headers: req.headers, body });
      const { failure } = started;
      res.writeHead(failure?.status ?? 200, { 'Content-Type': 'application/json' });
      res.end(failure ? failure.body : JSON.stringify(answer({ path, body })));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const started: TranslationServer = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    failure: null,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}

interface LibreTranslateRequest {
  q: string[];
  source: string;
  format: string;
}

/** LibreTranslate as documented. It "translates" into capitals, keeps tags, and injects a script. */
export const likeLibreTranslate = ({ path, body }: Reply): unknown => {
  if (path === '/languages') {
    return [
      { code: 'en', name: 'English', targets: ['de', 'en', 'es'] },
      { code: 'es', name: 'Spanish', targets: ['de', 'en', 'es'] },
    ];
  }
  const { q, source } = JSON.parse(body) as LibreTranslateRequest;
  return {
    translatedText: q.map((html) => `${capitals(html)}<script>alert(1)</script><img src=x onerror=alert(1)>`),
    ...(source === 'auto' ? { detectedLanguage: q.map(() => ({ confidence: 90, language: 'es' })) } : {}),
  };
};

/** Puts the text in capitals and keeps elements and entities. */
export const capitals = (html: string): string =>
  html.replace(/<[^>]*>|&#?\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));
