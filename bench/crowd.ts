import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { answerJobs } from './processes.ts';

/**
 * Many other servers, each at an address of loopback: a process of its own. Those of 127.1.0.0/16 answer, those of
 * 127.2.0.0/16 take a request and are silent, and those of 127.3.0.0/16 send a byte a second. At the other port nothing
 * accepts a connection.
 */
export type CrowdJob =
  { kind: 'open' } | { kind: 'await'; hosts: readonly string[]; text: string; patience: number };

export interface CrowdPorts {
  port: number;
  deafPort: number;
}

/** When each host got the text, in milliseconds since 1970. */
export interface CrowdArrivals {
  at: number[];
  missing: number;
}

/** Holds a port whose queue of new connections is full. */
const DEAF = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '0.0.0.0', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;
/** More than fit into that queue. */
const FILLERS = 4;

/** The bodies that each host got lately. */
const received = new Map<string, { body: string; at: number }[]>();
let arrived: ((host: string) => void) | undefined;

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { localAddress = '', localPort = 0 } = request.socket;
  if (localAddress.startsWith('127.2.')) return;
  if (localAddress.startsWith('127.3.')) {
    const dripping = setInterval(() => request.socket.write('H'), 1_000);
    request.socket.once('close', () => clearInterval(dripping));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const host = `${localAddress}:${localPort}`;
  const got = received.get(host) ?? [];
  received.set(host, got);
  got.push({ body: Buffer.concat(chunks).toString(), at: performance.timeOrigin + performance.now() });
  response.writeHead(202).end();
  arrived?.(host);
}

async function open(): Promise<CrowdPorts> {
  const server = createServer((request, response) => void take(request, response).catch(() => undefined));
  server.listen({ port: 0, host: '0.0.0.0', backlog: 4_096 });
  await once(server, 'listening');
  const deaf = new Worker(DEAF, { eval: true });
  const [deafPort] = (await once(deaf, 'message')) as [number];
  for (let n = 0; n < FILLERS; n += 1) connect(deafPort, '127.0.0.1').on('error', () => undefined);
  return { port: (server.address() as AddressInfo).port, deafPort };
}

async function awaitAll(hosts: readonly string[], text: string, patience: number): Promise<CrowdArrivals> {
  const ended = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => ended.resolve(undefined), patience);
  const found = new Map<string, number>();
  const waiting = new Set(hosts);
  arrived = (host) => {
    const got = waiting.has(host) ? received.get(host)?.find(({ body }) => body.includes(text)) : undefined;
    if (!got) return;
    received.delete(host);
    found.set(host, got.at);
    waiting.delete(host);
    if (waiting.size === 0) ended.resolve(undefined);
  };
  for (const host of hosts) arrived(host);
  await ended.promise;
  clearTimeout(timer);
  arrived = undefined;
  return { at: [...found.values()], missing: waiting.size };
}

answerJobs(async (job: CrowdJob): Promise<CrowdPorts | CrowdArrivals> =>
  job.kind === 'open' ? open() : awaitAll(job.hosts, job.text, job.patience),
);
