import { Agent, request } from 'node:http';
import { PATIENCE } from '../eventually.ts';
import type { FuzzRequest } from './requests.ts';

export interface FuzzAnswer {
  status: number;
  /** `X-Request-Id`; undefined when no endpoint matched. */
  requestId: string | undefined;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends the bytes unchanged: `fetch` would correct some of them. */
export function send(origin: string, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: { ...headers, ...(body ? { 'Content-Length': String(body.length) } : {}) },
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const id = res.headers['x-request-id'];
          resolve({
            status: res.statusCode ?? 0,
            requestId: typeof id === 'string' ? id : undefined,
            text: Buffer.concat(chunks).toString(),
          });
        });
      },
    );
    sent.setTimeout(PATIENCE, () => sent.destroy(new Error(`No answer within ${PATIENCE} ms`)));
    sent.on('error', reject);
    sent.end(body);
  });
}
