import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, HostileSite } from './attack.ts';
import { FORWARDED } from './attacker.ts';

/** Connections that send at once. */
const AT_ONCE = 4;
const LENGTH = 2_000_000_000;
const PIECE = Buffer.alloc(256_000, ' ');
const CHUNK = Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')]);

/** Requests that are refused by their headers, each by another router. */
const REFUSED = [
  'POST /api/v1/statuses',
  'POST /api/v1/nothing',
  'POST /oauth/token',
  'POST /inbox',
  'PUT /about',
] as const;

/** Sends one body as fast as the server takes it, until it ends the connection. */
async function pour(url: URL, start: string, isChunked: boolean, signal: AbortSignal): Promise<void> {
  const socket = connect({ host: url.hostname, port: Number(url.port), allowHalfOpen: true, signal });
  socket.on('error', () => undefined).resume();
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${LENGTH}`;
  const forwarded = Object.entries(FORWARDED).map(([name, value]) => `${name}: ${value}`);
  const type = 'Content-Type: application/json';
  socket.write([`${start} HTTP/1.1`, `Host: ${url.host}`, ...forwarded, type, length, '', ''].join('\r\n'));
  const piece = isChunked ? CHUNK : PIECE;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  while (!socket.destroyed) {
    if (socket.write(piece)) continue;
    await Promise.race([closed, once(socket, 'drain').catch(() => undefined)]);
  }
}

async function pourAgainAndAgain({ site }: HostileSite, signal: AbortSignal): Promise<void> {
  const url = new URL(site.url);
  const pourOn = async (first: number): Promise<void> => {
    for (let n = first; !signal.aborted; n += 1) {
      await pour(url, REFUSED[n % REFUSED.length] ?? '', n % 2 === 1, signal);
      await sleep(10);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => pourOn(n)));
}

/** Bodies of 2 GB after a refusal. */
export const BODY_ATTACKS: readonly Attack[] = [
  { name: 'refused bodies: 2 GB to five routers', run: pourAgainAndAgain },
];
