import { setTimeout as sleep } from 'node:timers/promises';
import { account } from '../commands/accounts/account.ts';
import type { MentionedAccount } from '../queries/statuses/mentioned.ts';
import type { App } from '../src/app/app.ts';
import { accountStream, emptyProfile, type AccountEvent } from '../src/events/accounts.ts';
import type { CrowdArrivals, CrowdJob, CrowdPorts } from './crowd.ts';
import type { Attack, HostileRow, HostileSite } from './hostile.ts';
import { startChild, type Child } from './processes.ts';
import { createAccount, follow, manyAtOnce, post, untilCaughtUp } from './seed.ts';
import { median, percentiles } from './table.ts';

/** Servers with a follower. */
const SERVERS = 1_000;
/** The shares of them that hang. */
const SHARES = [
  { name: 'a tenth', share: 0.1 },
  { name: 'half', share: 0.5 },
] as const;
/** The largest ratio between the times until the live servers have a post. */
const TARGET = 3;
/** A delivery that does not arrive counts as this long, in milliseconds. */
const PATIENCE = 120_000;
/** Longer than a request may take. */
const DEADLINE = 12_000;
const WARM_UP = 2;

/** Returns an address of loopback; the second byte says how it behaves. */
const addressOf = (behaviour: number, index: number): string =>
  `127.${behaviour}.${index >> 8}.${index & 255}`;

/** An author here, and the servers of the followers. */
interface Audience {
  author: MentionedAccount;
  live: string[];
}

let made = 0;

/** Creates an author whose followers are on so many servers, a share of which hang in three ways. */
async function audience(app: App, { port, deafPort }: CrowdPorts, share: number): Promise<Audience> {
  const author = await createAccount(app, `known${(made += 1)}`);
  const hanging = Math.round(SERVERS * share);
  const live = Array.from({ length: SERVERS - hanging }, (_, index) => `${addressOf(1, index)}:${port}`);
  const hosts = Array.from({ length: hanging }, (_, index) => {
    const behaviour = 2 + (index % 3);
    return `${addressOf(behaviour, index)}:${behaviour === 4 ? deafPort : port}`;
  });
  const all = [...live, ...hosts];
  await manyAtOnce(all.length, (index) => follower(app, all[index] ?? '', author));
  await untilCaughtUp(app);
  return { author, live };
}

async function follower(app: App, domain: string, author: MentionedAccount): Promise<void> {
  const ctx = app.systemContext('bench');
  const id = ctx.newId();
  const uri = `http://${domain}/users/f${id}`;
  const created: AccountEvent = {
    type: 'AccountCreated',
    data: { id, username: `f${id}`, domain, uri, url: uri, created_at: ctx.now, ...emptyProfile },
  };
  const located: AccountEvent = {
    type: 'RemoteInboxesChanged',
    data: { account_id: id, inbox: `http://${domain}/inbox`, shared_inbox: null, followers_uri: null },
  };
  await ctx.execute(accountStream(id), account, () => [created, located]);
  await follow(app, id, author.id);
}

/** Posts, and returns the p99 of the milliseconds until a live server has the post. */
async function deliver(app: App, crowd: Child, { author, live }: Audience): Promise<number> {
  const text = `crowd ${author.username} ${Date.now()}.`;
  await post(app, author, text, null, undefined);
  const began = performance.timeOrigin + performance.now();
  const job: CrowdJob = { kind: 'await', hosts: live, text, patience: PATIENCE };
  const { at, missing } = await crowd.ask<CrowdArrivals>(job);
  const times = [...at.map((each) => each - began), ...Array.from({ length: missing }, () => PATIENCE)];
  return percentiles(times).p99;
}

/** Forgets what waits, and lets what is under way end, so that each measurement begins alike. */
async function settle({ db }: App): Promise<void> {
  await db.query('delete from durable.federation_deliveries');
  await sleep(DEADLINE);
  await db.query('truncate durable.federation_deliveries, durable.federation_hosts');
}

interface Options extends Omit<HostileSite, 'attacker'> {
  rounds: number;
  say: (line: string) => void;
  /** Runs `crowd.ts`, at the priority of users. */
  crowd: Child;
}

/** Measures how much later a post arrives at live servers when others hang, which were never tried before. */
export async function measureHanging(
  { site: { app }, rounds, say, crowd }: Options,
  name: string,
): Promise<HostileRow[]> {
  const wanted = SHARES.map((each) => ({ ...each, name: `hanging servers: ${each.name} of ${SERVERS}` }));
  const rows = wanted.filter((each) => each.name.includes(name)).map((each) => ({ ...each, ...lists() }));
  if (rows.length === 0) return [];
  const everybody = await audience(app, await crowd.ask<CrowdPorts>({ kind: 'open' }), 0);
  for (let n = 0; n < WARM_UP; n += 1) await deliver(app, crowd, everybody);
  // Before any server hangs: what waits for those that do must not slow the figure that others are compared with.
  const alone: number[] = [];
  for (let round = 1; round <= rounds; round += 1) alone.push(await deliver(app, crowd, everybody));
  say(`${SERVERS} servers that all answer: ${alone.map((each) => each.toFixed(0)).join(', ')} ms`);
  for (let round = 1; round <= rounds; round += 1) {
    for (const row of rows) {
      const some = await audience(app, await crowd.ask<CrowdPorts>({ kind: 'open' }), row.share);
      row.under.push(await deliver(app, crowd, some));
      row.again.push(await deliver(app, crowd, some));
      const figures = [row.under, row.again].map((each) => each.at(-1)?.toFixed(0));
      say(`${row.name}, ${round} of ${rounds}: ${figures.join(', then ')} ms`);
      await settle(app);
    }
  }
  return rows.flatMap(({ name: text, under, again }) => [
    { name: text, alone: median(alone), under: median(under), target: TARGET },
    { name: `${text}, the next post`, alone: median(alone), under: median(again), target: TARGET },
  ]);
}

const lists = (): Record<'under' | 'again', number[]> => ({ under: [], again: [] });

let crowded: { crowd: Child; some: Audience } | undefined;

/** The users of this server, while it delivers to servers that hang. */
export const HANGING_ATTACKS: readonly Attack[] = [
  {
    name: 'readers beside hanging servers',
    prepare: async ({ site: { app } }) => {
      const crowd = startChild('crowd.ts');
      crowded = { crowd, some: await audience(app, await crowd.ask<CrowdPorts>({ kind: 'open' }), 0.5) };
    },
    run: async ({ site: { app } }, signal) => {
      while (crowded && !signal.aborted) {
        await post(app, crowded.some.author, `While others hang ${Date.now()}`, null, undefined);
        await sleep(5_000, undefined, { signal }).catch(() => undefined);
      }
    },
    finish: async ({ site: { app } }) => {
      await settle(app);
      await crowded?.crowd.stop();
    },
  },
];
