import { createAccount } from '#commands/accounts/index.ts';
import { call } from './client.ts';
import { MixedLog } from './mixed-log.ts';
import { manyAtOnce, newAccount, untilCaughtUp } from './seed.ts';
import { cookieOf, pageOf, tokensFor } from './signed-in.ts';
import type { Site } from './site.ts';
import { below, percentiles, type Row } from './table.ts';
import { randomNumbers } from './text.ts';

/** Reported accounts, each with a report and an action; every second action is lifted again. */
const CASES = 5_000;
const REPORTERS = 50;
const AT_ONCE = 16;
/** Reports and actions about the one account whose history is long. */
const LONG = 100;
const STEPS = 400;
const WARM_UP = 50;
/** Milliseconds. */
const IMMEDIATE = 200;

interface Town {
  site: Site;
  ownerId: string;
  token: string;
  reporters: string[];
  reported: string[];
  say: (line: string) => void;
}

/**
 * Steps through the history of moderated accounts, as JSON and as a page, and makes transparency reports, on a log with the mix of a
 * real server.
 */
export async function measureHistory(
  site: Site,
  events: number,
  say: (line: string) => void,
): Promise<Row[]> {
  say(`Appending ${events} events`);
  await new MixedLog(site.app).growTo(events);
  await untilCaughtUp(site.app);
  await site.app.projectionDb.query('vacuum analyze');
  const town = await populate(site, say);
  await moderate(town);
  const [busiest = ''] = town.reported;
  const path = `/admin/replay/account/${busiest}`;
  const headers = { Authorization: `Bearer ${town.token}` };
  const cookie = { Cookie: await cookieOf(site, town.ownerId) };
  const api = '/api/v1/admin';
  return [
    await steps(
      site,
      `a step of a replay, ${events} events`,
      `${api}/audit/subjects/account/${busiest}`,
      headers,
    ),
    await steps(site, 'the page of a step', path, cookie),
    await reports(site, 'the transparency report by month', `${api}/transparency?by=month`, headers),
    await reports(site, 'the page of the report', '/admin/transparency', cookie),
  ];
}

async function populate(site: Site, say: (line: string) => void): Promise<Town> {
  const { app } = site;
  const ownerId = await createAccount(app.systemContext('bench'), {
    ...newAccount('auditor'),
    role: 'Owner',
  });
  await untilCaughtUp(app);
  const tokenOf = await tokensFor(site, ['read', 'write', 'admin:read', 'admin:write']);
  const rows = await app.projectionDb.query<{ id: string }>(
    'select account_id as id from statuses group by account_id order by count(*) desc, account_id limit $1',
    [CASES + REPORTERS],
  );
  const ids = rows.map(({ id }) => id);
  const reporters = ids.slice(-REPORTERS);
  return {
    site,
    ownerId,
    say,
    reported: ids.slice(0, -REPORTERS),
    token: await tokenOf(ownerId),
    reporters: await Promise.all(reporters.map(tokenOf)),
  };
}

/** Reports, actions and reversals by the API: one of each for most accounts, and a long history for the busiest. */
async function moderate(town: Town): Promise<void> {
  const { site, reported, say } = town;
  const [busiest = ''] = reported;
  say(`Moderating ${reported.length} accounts`);
  const started = performance.now();
  await manyAtOnce(reported.length, (index) => moderated(town, reported[index] ?? '', index), AT_ONCE);
  for (let index = 0; index < LONG; index += 1) await moderated(town, busiest, index);
  await untilCaughtUp(site.app);
  say(
    `Moderated in ${((performance.now() - started) / 1_000).toFixed(0)} s; the log has ${await site.app.log.head()} events`,
  );
}

const ACTIONS = ['silence', 'sensitive', 'none', 'suspend'] as const;
const LIFTS: Partial<Record<string, string>> = {
  silence: 'unsilence',
  sensitive: 'unsensitive',
  suspend: 'unsuspend',
};

async function moderated(
  { site: { url }, token, reporters }: Town,
  id: string,
  index: number,
): Promise<void> {
  const report = JSON.parse(
    await call(`${url}/api/v1/reports`, reporters[index % reporters.length], {
      account_id: id,
      comment: `Report ${index}`,
      category: index % 3 === 0 ? 'spam' : 'other',
    }),
  ) as { id: string };
  const type = ACTIONS[index % ACTIONS.length] ?? 'none';
  const action = { type, report_id: report.id, text: 'Please stop', send_email_notification: false };
  await call(`${url}/api/v1/admin/accounts/${id}/action`, token, action);
  const lift = LIFTS[type];
  if (lift !== undefined && (index % 2 === 0 || index < LONG)) {
    await call(`${url}/api/v1/admin/accounts/${id}/${lift}`, token, {});
  }
}

/** Asks for steps in no order. */
async function steps(site: Site, name: string, path: string, headers: Record<string, string>): Promise<Row> {
  const random = randomNumbers(3);
  const step = (): number => 1 + Math.floor(random() * LONG * 3);
  const latencies = await timed(STEPS, () => pageOf({ url: `${site.url}${path}?step=${step()}`, headers }));
  const { p50, p95, p99 } = percentiles(latencies);
  return { name, p50, p99, targets: [below(`p95 ms (${p95.toFixed(1)})`, p95, IMMEDIATE)] };
}

async function reports(
  site: Site,
  name: string,
  path: string,
  headers: Record<string, string>,
): Promise<Row> {
  const { p50, p99 } = percentiles(
    await timed(STEPS / 4, () => pageOf({ url: `${site.url}${path}`, headers })),
  );
  return { name, p50, p99 };
}

async function timed(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  for (let round = -WARM_UP; round < count; round += 1) {
    const started = performance.now();
    await work();
    if (round >= 0) latencies.push(performance.now() - started);
  }
  return latencies;
}
