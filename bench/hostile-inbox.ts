import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, startPeer } from '../test/support/peer.ts';
import { atPace } from './hostile-heavy.ts';
import type { Attack, HostileSite } from './hostile.ts';

const MEGABYTE = 1_000_000;
/** Activities of one actor that wait. */
const FLOOD = 2_000;
/** Deliveries of the flood under way at once. */
const AT_ONCE = 12;
/** Connections of each address that never send their whole body. */
const SLOW = 100;

const forwarded = (address: string) => ({ 'x-forwarded-for': address });

/** Bodies that are refused: the signature is none, the digest is right. */
function refusedBodies(name: string, body: string): Attack {
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  const headers = { ...forwarded('203.0.113.66'), 'content-type': 'application/activity+json', digest };
  return {
    name: `inbox: ${name}`,
    run: ({ site }, signal) =>
      atPace(4, signal, () =>
        fetch(`${site.url}/inbox`, { method: 'POST', headers: { ...headers, signature: 'x' }, body, signal }),
      ),
  };
}

interface Delivery {
  headers: Record<string, string>;
  body: string;
}

/** Waiting in `prepare`, so that the flood is as fast as the network. One array for each round. */
let floods: Delivery[][] = [];

async function signFlood({ site: { app } }: HostileSite, rounds: number): Promise<void> {
  const peer = await startPeer();
  const actor = peer.actor('flood');
  floods = [];
  for (let round = 0; round < rounds; round += 1) {
    const deliveries: Delivery[] = [];
    for (let n = 0; n < FLOOD; n += 1) {
      const id = `${actor}/notes/${round}-${n}`;
      const to = ['https://www.w3.org/ns/activitystreams#Public'];
      const object = { id, type: 'Note', attributedTo: actor, content: `<p>Post ${round} ${n}</p>`, to };
      const published = new Date().toISOString();
      const activity = { id: `${id}/activity`, type: 'Create', actor, to, object: { ...object, published } };
      const body = JSON.stringify({ '@context': 'https://www.w3.org/ns/activitystreams', ...activity });
      const headers = await peer.sign('flood', `${app.instance.origin}/inbox`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/activity+json', ...forwarded('203.0.113.66') },
      });
      deliveries.push({ headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body });
    }
    floods.push(deliveries);
  }
}

async function flood({ site }: HostileSite, signal: AbortSignal): Promise<void> {
  const deliveries = floods.pop() ?? [];
  const worker = async (): Promise<void> => {
    for (let next = deliveries.pop(); next && !signal.aborted; next = deliveries.pop()) {
      await ask(site.url, '/inbox', next.headers, 'POST', next.body);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Holds connections open whose bodies come by one byte a second. */
async function slowBodies({ site }: HostileSite, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(site.url);
  const held = ['203.0.113.66', '203.0.113.67'].flatMap((address) =>
    Array.from({ length: SLOW }, () => {
      const headers = {
        ...forwarded(address),
        'content-type': 'application/activity+json',
        'content-length': MEGABYTE,
        signature: 'keyId="https://slow.example/users/a#main-key",signature="eA=="',
        digest: 'SHA-256=x',
      };
      const sent = request({ hostname, port, path: '/inbox', method: 'POST', headers });
      sent.on('error', () => undefined).on('response', (response) => response.resume());
      sent.write('{');
      return sent;
    }),
  );
  while (!signal.aborted) {
    for (const sent of held) if (sent.writable) sent.write(' ');
    await sleep(1_000);
  }
  for (const sent of held) sent.destroy();
}

const items = (bytes: number, item: string): string =>
  Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join(',');

/** The inbox, from one address or one host. */
export const INBOX_ATTACKS: readonly Attack[] = [
  refusedBodies('1 MB of objects, not signed', `{"b":"\\u0000","a":[${items(MEGABYTE - 30, '{}')}]}`),
  {
    name: 'inbox: slow bodies of two addresses',
    victims: 'mentions of another server',
    run: slowBodies,
  },
  {
    name: `inbox: ${FLOOD} activities of one actor`,
    victims: 'mentions of another server',
    prepare: signFlood,
    run: flood,
  },
];
