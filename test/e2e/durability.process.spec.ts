import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Reply, send, signUp } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import {
  differences,
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

const POSTS = 400;
const CLIENTS = 16;
/** The number of acknowledged posts after which the server is killed, while others are still in flight. */
const ENOUGH = 120;

describe('A server that is killed while clients post', function () {
  this.timeout(120_000);
  let settings: Settings;
  let rookery: RookeryProcess;

  beforeEach(async () => {
    settings = await freshSettings({ LOG_LEVEL: 'fatal' });
    rookery = await startRookery(settings);
  });
  afterEach(async () => {
    await rookery.end();
    await discard(settings);
  });

  it('has every acknowledged post exactly once after kill -9, and creates no duplicates on retry', async () => {
    const { token } = await signUp(rookery.url, folder(), 'alice');
    const acknowledged = await postUntil(token, async () => {
      await rookery.end('SIGKILL');
    });
    rookery = await startRookery(settings);
    await expectComplete(token, acknowledged);
  });

  for (const [what, victim] of [
    ['PostgreSQL', () => postmaster()],
    ['a session of PostgreSQL', async () => sessionOf(await postmaster())],
  ] as const) {
    it(`goes on when ${what} is killed, and has every acknowledged post`, async () => {
      const { token } = await signUp(rookery.url, folder(), 'alice');
      // Found before the posts begin: a slow machine would have taken all of them by then.
      const pid = await victim();
      const acknowledged = await postUntil(token, async () => {
        process.kill(pid, 'SIGKILL');
        await eventually(async () => {
          const { status } = await send(rookery.url, 'GET', '/api/v1/accounts/verify_credentials', { token });
          expect(status).to.equal(200);
        });
      });
      await expectComplete(token, acknowledged);
      expect(await rookery.end('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    });
  }

  it('finishes started requests on SIGTERM, and exits with code 0', async () => {
    const { token } = await signUp(rookery.url, folder(), 'alice');
    const acknowledged = await postUntil(token, async () => {
      expect(await rookery.end('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    });
    rookery = await startRookery(settings);
    await expectComplete(token, acknowledged);
  });

  it('keeps every completed sign-up after kill -9, and accepts new ones', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `user${index}`);
    const letIn = new Map<string, string>();
    let killed: Promise<unknown> | undefined;
    await Promise.all(
      names.map(async (name) => {
        const signedUp = await signUp(rookery.url, folder(), name).catch(() => undefined);
        if (signedUp) letIn.set(name, signedUp.token);
        if (letIn.size >= 4) killed ??= rookery.end('SIGKILL');
      }),
    );
    await killed;
    rookery = await startRookery(settings);
    for (const [name, token] of letIn) {
      const me = await send(rookery.url, 'GET', '/api/v1/accounts/verify_credentials', { token });
      expect([me.status, me.body.username]).to.deep.equal([200, name]);
    }
    for (const name of names.filter((each) => !letIn.has(each))) {
      const found = await send(rookery.url, 'GET', `/api/v1/accounts/lookup?acct=${name}`);
      const again = await signUp(rookery.url, folder(), name).catch((error: Error) => error.message);
      // A name is taken when its account exists, and for some minutes after an interrupted sign-up.
      if (found.status === 200 || typeof again === 'string') expect(again).to.contain('ERR_TAKEN');
    }
    await signUp(rookery.url, folder(), 'newcomer');
    expect(await differences(settings)).to.deep.equal([]);
  });

  const folder = (): string => settings['DATA_DIR'] ?? '';

  const post = (token: string, index: number): Promise<Reply> =>
    send(rookery.url, 'POST', '/api/v1/statuses', {
      token,
      body: { status: `burst ${index}` },
      headers: { 'Idempotency-Key': `burst-${index}` },
    });

  /**
   * Posts with several clients while the disaster happens. Returns the ids of acknowledged posts by index.
   */
  async function postUntil(token: string, disaster: () => Promise<void>): Promise<Map<number, string>> {
    const acknowledged = new Map<number, string>();
    let next = 0;
    let broken: Promise<void> | undefined;
    const client = async (): Promise<void> => {
      while (next < POSTS) {
        const index = next;
        next += 1;
        const reply = await post(token, index).catch(() => undefined);
        if (!reply) return;
        // While its database dies, the server may answer only with 500 or 503.
        if (reply.status === 200) acknowledged.set(index, reply.body.id as string);
        else expect(reply.status).to.be.oneOf([500, 503]);
        if (acknowledged.size >= ENOUGH) broken ??= disaster();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    expect(broken, 'the disaster happened before the last post').not.to.equal(undefined);
    await broken;
    expect(acknowledged.size, 'the server died before the last post').to.be.lessThan(POSTS);
    return acknowledged;
  }

  /**
   * Asserts that every acknowledged post exists once, then retries all posts and asserts the same of them.
   */
  async function expectComplete(token: string, acknowledged: Map<number, string>): Promise<void> {
    let early = await allPosts(token);
    // The projector catches up after the start. Wait until every acknowledged post is listed.
    const isThere = (id: string): boolean => early.some((each) => each.id === id);
    while (![...acknowledged.values()].every(isThere)) early = await allPosts(token);
    for (const [index, id] of acknowledged) {
      expect(early.filter((post) => post.text === `burst ${index}`).map((post) => post.id)).to.deep.equal([
        id,
      ]);
    }
    expect(await differences(settings)).to.deep.equal([]);

    for (let index = 0; index < POSTS; index += CLIENTS) {
      const indices = Array.from({ length: Math.min(CLIENTS, POSTS - index) }, (_, offset) => index + offset);
      const replies = await Promise.all(indices.map((each) => post(token, each)));
      replies.forEach(({ status, body }, offset) => {
        expect(status).to.equal(200);
        const known = acknowledged.get(index + offset);
        if (known !== undefined) expect(body.id).to.equal(known);
      });
    }
    const all = await allPosts(token);
    expect(all.map(({ text }) => text).sort()).to.deep.equal(
      Array.from({ length: POSTS }, (_, index) => `burst ${index}`).sort(),
    );
    const me = await send(rookery.url, 'GET', '/api/v1/accounts/verify_credentials', { token });
    expect(me.body.statuses_count).to.equal(POSTS);
    expect(await differences(settings)).to.deep.equal([]);
  }

  /** Returns all posts of the home timeline, read page by page. */
  async function allPosts(token: string): Promise<{ id: string; text: string }[]> {
    const posts: { id: string; text: string }[] = [];
    for (let query = '?limit=40'; ;) {
      // PostgreSQL may be about to start again.
      const body = await eventually(async () => {
        const reply = await send(rookery.url, 'GET', `/api/v1/timelines/home${query}`, { token });
        expect(reply.status).to.equal(200);
        return reply.body;
      });
      const page = body as { id: string; content: string }[];
      if (page.length === 0) return posts;
      posts.push(...page.map(({ id, content }) => ({ id, text: content.replaceAll(/<[^>]+>/g, '') })));
      query = `?limit=40&max_id=${page.at(-1)?.id ?? ''}`;
    }
  }

  /** Returns the process of a database session, by the title that PostgreSQL gives it. */
  async function sessionOf(parent: number): Promise<number> {
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (stat.split(') ')[1]?.split(' ')[1] === String(parent) && title.includes('postgres: rookery'))
        return Number(pid);
    }
    throw new Error('PostgreSQL has no session');
  }

  async function postmaster(): Promise<number> {
    const file = await readFile(join(folder(), 'postgres/cluster/postmaster.pid'), 'utf8');
    return Number(file.split('\n')[0]);
  }
});
