import { setTimeout as sleep } from 'node:timers/promises';

/** The attacker's address. */
export const FORWARDED = { 'x-forwarded-for': '203.0.113.66' };
export const MEGABYTE = 1_000_000;

/** Sends at a steady pace until the signal, without waiting for answers. */
export async function atPace(
  perSecond: number,
  signal: AbortSignal,
  send: () => Promise<Response>,
): Promise<void> {
  const pending = new Set<Promise<unknown>>();
  while (!signal.aborted) {
    const sent = send()
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
    pending.add(sent);
    void sent.then(() => pending.delete(sent));
    await sleep(1_000 / perSecond);
  }
  await Promise.all(pending);
}

/** Returns the items of a list of so many bytes of JSON. */
export const many = (bytes: number, item: string): string =>
  Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join(',');
