import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { projections } from '#projections/index.ts';
import { verify } from '#storage/postgres/rebuild/rebuild.ts';
import { describeTown, type Person } from '../support/people.ts';
import { servePast } from './served.ts';

const STEPS = 80;
const SNAPSHOTS = 4;

/** A seeded random generator (mulberry32). Returns numbers from 0 to less than 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The replies to all users when the log ended at this position. */
interface Snapshot {
  position: bigint;
  answers: { asker: string; token: string | undefined; path: string; status: number; body: unknown }[];
}

describeTown('Replies of a past server', (town) => {
  let people: Person[];
  let mod: Person;
  const posts: { id: string; author: Person }[] = [];
  const random = numbersFrom(20261122);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

  before(async function () {
    this.timeout(120_000);
    people = [await town.person('alice'), await town.person('bob'), await town.person('carol')];
    mod = await town.staff('mod', 'Moderator');
  });

  const post = async (author: Person, body: object): Promise<void> => {
    const { status, json } = await author.post<Status>('/api/v1/statuses', body);
    if (status === 200) posts.push({ id: json.id, author });
  };
  /** Some steps fail, such as following an account that one blocks. */
  const step = async (n: number): Promise<void> => {
    const who = pick(people);
    const whom = pick(people.filter((person) => person !== who));
    const of = posts.length > 0 ? pick(posts) : undefined;
    const towards = (verb: string, body?: object) => who.post(`/api/v1/accounts/${whom.id}/${verb}`, body);
    const about = (verb: string) => of && who.post(`/api/v1/statuses/${of.id}/${verb}`);
    const deeds: (() => unknown)[] = [
      () => post(who, { status: `Post ${n} #step`, visibility: pick(['public', 'unlisted', 'private']) }),
      () => post(who, { status: `Hello @${whom.username}`, in_reply_to_id: of?.id }),
      () => post(who, { status: `Poll ${n}`, poll: { options: ['a', 'b'], expires_in: 3_600 } }),
      () => towards('follow'),
      () => towards('follow'),
      () => towards('unfollow'),
      () => towards('block'),
      () => towards('unblock'),
      () => towards('mute', { duration: 86_400 }),
      () => towards('unmute'),
      () => about('favourite'),
      () => about('reblog'),
      () => about('bookmark'),
      () => about('pin'),
      () => of && of.author.put(`/api/v1/statuses/${of.id}`, { status: `Edited in ${n}` }),
      () => of && of.author.delete(`/api/v1/statuses/${of.id}`),
      () => who.patch('/api/v1/accounts/update_credentials', { display_name: `Name ${n}` }),
      () => who.post('/api/v1/reports', { account_id: whom.id, comment: `Report ${n}` }),
      () => town.change(whom, { locked: random() < 0.5 }),
    ];
    await pick(deeds)();
  };

  const paths = (): string[] => [
    ...['/api/v1/timelines/home?limit=40', '/api/v1/timelines/public?limit=40', '/api/v1/timelines/tag/step'],
    ...['/api/v1/notifications?limit=80', '/api/v2/notifications', '/api/v1/notifications/unread_count'],
    ...[
      '/api/v1/blocks',
      '/api/v1/mutes',
      '/api/v1/bookmarks',
      '/api/v1/favourites',
      '/api/v1/follow_requests',
    ],
    ...[
      '/api/v1/accounts/verify_credentials',
      '/api/v1/conversations',
      '/api/v2/instance',
      '/api/v1/directory',
    ],
    ...['/api/v1/admin/reports', '/api/v2/admin/accounts', '/api/v2/search?q=step&type=statuses'],
    `/api/v1/accounts/relationships?${people.map(({ id }) => `id[]=${id}`).join('&')}`,
    ...people.flatMap(({ id }) => [`/api/v1/accounts/${id}`, `/api/v1/accounts/${id}/statuses`]),
    ...posts.slice(-8).flatMap(({ id }) => [`/api/v1/statuses/${id}`, `/api/v1/statuses/${id}/context`]),
  ];

  async function snapshot(): Promise<Snapshot> {
    await town.waitUntilIdle();
    const position = await town.events();
    const askers = [...people, mod].map(({ username, token, ...client }) => ({ username, token, client }));
    const everybody = [...askers, { username: 'nobody', token: undefined, client: town.nobody }];
    const questions = everybody.flatMap((asker) => paths().map((path) => ({ ...asker, path })));
    const answers = await Promise.all(
      questions.map(async ({ username, token, client, path }) => {
        const { status, json } = await client.get(path);
        return { asker: username, token, path, status, body: json };
      }),
    );
    expect(await town.events()).to.equal(position);
    return { position, answers };
  }

  it('equal those that all users got when the log ended there', async function () {
    this.timeout(120_000);
    const at = new Set<number>();
    while (at.size < SNAPSHOTS) at.add(10 + Math.floor(random() * (STEPS - 12)));
    const snapshots: Snapshot[] = [];
    for (let n = 0; n < STEPS; n += 1) {
      await step(n);
      if (at.has(n)) snapshots.push(await snapshot());
    }
    const now = await snapshot();
    for (const { position, answers } of snapshots) {
      const served = await servePast(town.app, position);
      try {
        const asked = await Promise.all(answers.map(async ({ token, path }) => served.get(path, token)));
        for (const [index, { status, body }] of asked.entries()) {
          const then = answers[index]!;
          const question = `${then.asker} at ${position}: ${then.path}`;
          expect(status, question).to.equal(then.status);
          expect(withoutAddresses(body), question).to.deep.equal(withoutAddresses(then.body));
        }
      } finally {
        await served.close();
      }
      // The present would pass too if nothing had changed since.
      const today = new Map(now.answers.map(({ asker, path, body }) => [`${asker} ${path}`, body]));
      const same = answers.filter(
        ({ asker, path, body }) => JSON.stringify(today.get(`${asker} ${path}`)) === JSON.stringify(body),
      );
      expect(same.length).to.be.lessThan(answers.length - 10);
    }
    const { log, projectionDb: db } = town.app;
    expect(await verify({ projections, log, db })).to.deep.equal([]);
  });
});

/** Addresses of users are stored outside the log, so a past server shows today's. */
const withoutAddresses = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'ip' || key === 'ips' ? null : value)));
