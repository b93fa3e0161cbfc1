import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { activity, PUBLIC } from '../test/support/inbox.ts';
import { ACTIVITY_JSON, ask, type Peer, startPeer } from '../test/support/peer.ts';
import type { Attack, HostileSite } from './attack.ts';
import { atPace, FORWARDED, many, MEGABYTE } from './attacker.ts';
import { manyAtOnce } from './seed.ts';

/** Activities of one actor that wait. */
const FLOOD = 2_000;
/** Deliveries of the flood under way at once. */
const AT_ONCE = 12;
/** Connections of each address that never send their whole body. */
const SLOW = 100;

/** Bodies that are refused: the signature is none, the digest is right. */
function refusedBodies(name: string, body: string): Attack {
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  const headers = { ...FORWARDED, 'content-type': ACTIVITY_JSON, digest };
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

/** Signed before the attack, so that the flood is as fast as the network. One array for each round. */
let floods: Delivery[][] = [];
let flooding: Peer | undefined;

async function signFlood({ site: { app } }: HostileSite, rounds: number): Promise<void> {
  const peer = (flooding = await startPeer());
  peer.actor('flood');
  floods = [];
  for (let round = 0; round < rounds; round += 1) {
    const deliveries: Delivery[] = [];
    for (let n = 0; n < FLOOD; n += 1) {
      deliveries.push(await signedPost(peer, `${app.instance.origin}/inbox`, `${round}-${n}`));
    }
    floods.push(deliveries);
  }
}

async function signedPost(peer: Peer, inbox: string, name: string): Promise<Delivery> {
  const actor = `${peer.origin}/users/flood`;
  const note = {
    id: `${actor}/notes/${name}`,
    type: 'Note',
    attributedTo: actor,
    content: `<p>Post ${name}</p>`,
    published: new Date().toISOString(),
    to: [PUBLIC],
  };
  const body = JSON.stringify(activity(peer, 'flood', 'Create', note, { to: note.to }));
  const headers = await peer.sign('flood', inbox, {
    method: 'POST',
    body,
    headers: { 'content-type': ACTIVITY_JSON, ...FORWARDED },
  });
  return { headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body };
}

async function flood({ site }: HostileSite, signal: AbortSignal): Promise<void> {
  const deliveries = floods.pop() ?? [];
  const deliver = async (index: number): Promise<void> => {
    const delivery = deliveries[index];
    if (delivery && !signal.aborted) await ask(site.url, '/inbox', delivery.headers, 'POST', delivery.body);
  };
  await manyAtOnce(deliveries.length, deliver, AT_ONCE);
}

/** Holds connections open whose bodies come by one byte a second. */
async function slowBodies({ site }: HostileSite, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(site.url);
  const held = ['203.0.113.66', '203.0.113.67'].flatMap((address) =>
    Array.from({ length: SLOW }, () => {
      const headers = {
        'x-forwarded-for': address,
        'content-type': ACTIVITY_JSON,
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

/** The inbox, from one address or one host. */
export const INBOX_ATTACKS: readonly Attack[] = [
  refusedBodies('1 MB of objects, not signed', `{"b":"\\u0000","a":[${many(MEGABYTE - 30, '{}')}]}`),
  { name: 'inbox: slow bodies of two addresses', victims: 'mentions of another server', run: slowBodies },
  {
    name: `inbox: ${FLOOD} activities of one actor`,
    victims: 'mentions of another server',
    prepare: signFlood,
    run: flood,
    finish: async () => flooding?.close(),
  },
];
