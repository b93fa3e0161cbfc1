import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import { account } from '#commands/accounts/account.ts';
import { type AccountEvent, accountStream, emptyProfile } from '#events/accounts.ts';
import type { MentionedAccount } from '#queries/statuses/mentioned.ts';
import type { Attack, HostileRow, HostileSite } from './attack.ts';
import type { CrowdArrivals, CrowdJob, CrowdPorts } from './crowd.ts';
import type { Pair } from './pairs.ts';
import { type Child, startChild } from './processes.ts';
import { createAccount, follow, manyAtOnce, post, untilCaughtUp } from './seed.ts';
import { percentiles } from './table.ts';

/** Servers with a follower. */
const SERVERS = 1_000;
/** Three ways to hang at addresses of loopback, as `crowd.ts` has them. */
const HANGING = [2, 3, 4];
/** A name whose name server is silent. */
const NAMELESS = [5];
/** The shares of them that hang, and how. */
const SHARES = [
  { name: `hanging servers: a tenth of ${SERVERS}`, share: 0.1, ways: HANGING },
  { name: `hanging servers: half of ${SERVERS}`, share: 0.5, ways: HANGING },
  { name: `names that do not resolve: half of ${SERVERS}`, share: 0.5, ways: NAMELESS },
] as const;
/** The largest ratio between the times until the live servers have a post. */
const TARGET = 3;
/** A delivery that does not arrive counts as this long, in milliseconds. */
const PATIENCE = 120_000;
/** Longer than a request may take. */
const DEADLINE = 12_000;
const WARM_UP = 2;
/** Milliseconds between two posts of an author whom all follow. */
const PAUSE = 3_000;

/** Returns an address of loopback; the second byte says how it behaves. */
const addressOf = (behaviour: number, index: number): string =>
  `127.${behaviour}.${index >> 8}.${index & 255}`;

/** Returns the domain of a server that hangs in this way. */
function domainOf(way: number, index: number, { port, deafPort }: CrowdPorts): string {
  if (NAMELESS.includes(way)) return `nameless${index}.example:${port}`;
  return `${addressOf(way, index)}:${way === 4 ? deafPort : port}`;
}

/** An author here, and the servers of the followers. */
interface Audience {
  author: MentionedAccount;
  live: string[];
}

let made = 0;

/** Creates an author whose followers are on so many servers, a share of which hang in these ways. */
async function audience(
  app: App,
  ports: CrowdPorts,
  share: number,
  ways: readonly number[] = HANGING,
): Promise<Audience> {
  const author = await createAccount(app, `known${(made += 1)}`);
  const hanging = Math.round(SERVERS * share);
  const live = Array.from(
    { length: SERVERS - hanging },
    (_, index) => `${addressOf(1, index)}:${ports.port}`,
  );
  const hosts = Array.from({ length: hanging }, (_, index) =>
    domainOf(ways[index % ways.length] ?? 0, index, ports),
  );
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
  const rows = SHARES.filter((each) => each.name.includes(name)).map((each) => ({ ...each, ...lists() }));
  if (rows.length === 0) return [];
  const everybody = await audience(app, await crowd.ask<CrowdPorts>({ kind: 'open' }), 0);
  for (let n = 0; n < WARM_UP; n += 1) await deliver(app, crowd, everybody);
  for (let round = 1; round <= rounds; round += 1) {
    for (const row of rows) {
      const some = await audience(app, await crowd.ask<CrowdPorts>({ kind: 'open' }), row.share, row.ways);
      const quiet = await deliver(app, crowd, everybody);
      const attacked = await deliver(app, crowd, some);
      const next = await deliver(app, crowd, some);
      row.pairs.push({ quiet, attacked });
      row.again.push({ quiet, attacked: next });
      const figures = [quiet, attacked, next].map((each) => each.toFixed(0));
      say(`${row.name}, ${round} of ${rounds}: quiet, attacked and the next post: ${figures.join(', ')} ms`);
      await settle(app);
    }
  }
  return rows.flatMap(({ name: text, pairs, again }) => [
    { name: text, pairs, target: TARGET },
    { name: `${text}, the next post`, pairs: again, target: TARGET },
  ]);
}

const lists = (): Record<'pairs' | 'again', Pair[]> => ({ pairs: [], again: [] });

/** Returns attacks that deliver posts to a crowd all the time. */
function readers(name: string, share: number, ways: readonly number[]): Attack {
  let opened: { crowd: Child; all: Audience; some: Audience } | undefined;
  const deliverOn =
    (whom: 'all' | 'some'): Attack['run'] =>
    async ({ site: { app } }, signal) => {
      while (opened && !signal.aborted) {
        await post(app, opened[whom].author, `Beside readers ${Date.now()}`, null, undefined);
        await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
      }
      await app.db.query('delete from durable.federation_deliveries');
    };
  return {
    name,
    prepare: async ({ site: { app } }) => {
      const crowd = startChild('crowd.ts');
      const ports = await crowd.ask<CrowdPorts>({ kind: 'open' });
      opened = {
        crowd,
        all: await audience(app, ports, 0),
        some: await audience(app, await crowd.ask<CrowdPorts>({ kind: 'open' }), share, ways),
      };
    },
    ...(share > 0
      ? {
          quiet: deliverOn('all'),
          run: deliverOn('some'),
          settle: ({ site: { app } }: HostileSite) => settle(app),
        }
      : { run: deliverOn('all') }),
    finish: async () => opened?.crowd.stop(),
  };
}

/**
 * The users of this server, while it delivers. Beside servers that hang they are compared with the users beside as many servers that
 * answer: the deliveries themselves are work.
 */
export const HANGING_ATTACKS: readonly Attack[] = [
  readers('readers beside deliveries', 0, []),
  readers('readers beside hanging servers, compared with deliveries', 0.5, HANGING),
  readers('readers beside names that do not resolve, compared with deliveries', 0.5, NAMELESS),
];
