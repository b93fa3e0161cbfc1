import { call } from './client.ts';
import type { Load, LoadJob } from './load.ts';
import type { Child } from './processes.ts';
import { WORDS } from './text.ts';

const PATH = '/api/v1/timelines/home?limit=40';
const KEYWORDS = 200;

/** A page of 40 with 200 keywords, words of the posts among them, and before that without any: requests per second. */
export async function filteredPage(
  { url, token, load }: { url: string; token: string; load: Child },
  timing: { connections: number; warmupSeconds: number; seconds: number },
): Promise<{ ours: Load; theirs: Load; bytes: number }> {
  const read = { kind: 'read', url: url + PATH, token, ...timing } satisfies LoadJob;
  const theirs = await load.ask<Load>(read);
  const { id } = JSON.parse(
    await call(`${url}/api/v2/filters`, token, {
      title: 'bench',
      context: ['home'],
      filter_action: 'warn',
      keywords_attributes: keywords(),
    }),
  ) as { id: string };
  const bytes = Buffer.byteLength(await call(url + PATH, token));
  const ours = await load.ask<Load>(read);
  await fetch(`${url}/api/v2/filters/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  return { ours, theirs, bytes };
}

/** Every tenth stands in the posts. */
const keywords = () =>
  Array.from({ length: KEYWORDS }, (_, index) => ({
    keyword: index % 10 === 0 ? (WORDS[(index / 10) % WORDS.length] ?? '') : `keyword ${index}`,
    whole_word: index % 2 === 0,
  }));
