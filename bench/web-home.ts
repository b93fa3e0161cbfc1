import { cpuTimes } from './cpu.ts';
import { manyAtOnce } from './seed.ts';
import { type Asked, cookieOf, pageOf } from './signed-in.ts';
import type { Site } from './site.ts';
import { below, median, type Row } from './table.ts';

const PAGES = 800;
const AT_ONCE = 8;
/** Bytes of the page with 20 posts. */
const MAX_BYTES = 60_000;

interface Spent {
  /** Milliseconds of processor time for each page. */
  server: number;
  postgres: number;
}

/**
 * The page of the web client beside its JSON: what rendering, the session and the frame add. Processor time in
 * turns, because the machine does other things.
 */
export async function measureWebHome(
  site: Site,
  reader: { id: string; token: string },
  rounds: number,
  say: (line: string) => void,
): Promise<Row> {
  // The JSON is not compressed either.
  const headers = { Cookie: await cookieOf(site, reader.id), 'Accept-Encoding': 'identity' };
  const page = { url: `${site.url}/home`, headers };
  const json = {
    url: `${site.url}/api/v1/timelines/home?limit=20`,
    headers: { Authorization: `Bearer ${reader.token}` },
  };
  const html = await pageOf(page);
  const posts = html.split('<article').length - 1;
  if (posts !== 20) throw new Error(`/home shows ${posts} posts`);
  const spent: { page: Spent; json: Spent }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const both = { json: await cpuOf(site, json), page: await cpuOf(site, page) };
    say(`web-home: page ${shown(both.page)}, JSON ${shown(both.json)} ms CPU`);
    // The first round warms up.
    if (round > 0) spent.push(both);
  }
  const ratio = median(spent.map((each) => total(each.page) / total(each.json)));
  const bytes = Buffer.byteLength(html);
  return {
    name: '/home of the web client, CPU beside its JSON',
    bytes,
    ratio,
    targets: [below('times the CPU of the JSON', ratio, 2), below('bytes', bytes, MAX_BYTES)],
  };
}

const total = ({ server, postgres }: Spent): number => server + postgres;
const shown = ({ server, postgres }: Spent): string => `${server.toFixed(2)} + ${postgres.toFixed(2)}`;

async function cpuOf({ server, app }: Site, asked: Asked): Promise<Spent> {
  const before = await cpuTimes(server.pid, app.db);
  await manyAtOnce(PAGES, () => pageOf(asked), AT_ONCE);
  const after = await cpuTimes(server.pid, app.db);
  const each = (who: string): number => (((after.get(who) ?? 0) - (before.get(who) ?? 0)) * 1_000) / PAGES;
  const others = [...after.keys()].filter((who) => who !== 'server');
  return { server: each('server'), postgres: others.reduce((sum, who) => sum + each(who), 0) };
}
