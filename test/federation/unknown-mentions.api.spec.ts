import { expect } from 'chai';
import { decideResolveOwn } from '#commands/federation/index.ts';
import { status } from '#commands/statuses/index.ts';
import { StatusCreated, type StatusEvent } from '#events/statuses.ts';
import { eventually } from '../support/eventually.ts';
import type { Json } from '../support/inbox.ts';
import type { Peer } from '../support/peer.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { inboxScene } from './inbox-scene.ts';

describe('Accounts that a post of this server names before they are known', function () {
  this.timeout(120_000);
  const scene = inboxScene();
  const { as, call } = scene;
  let server: TestServer;
  let peer: Peer;
  let evil: Peer;
  let alice: TestUser;
  let bob: TestUser;

  before(async () => {
    ({ server, peer, evil, alice, bob } = await scene.start());
  });
  after(() => scene.close());

  const acctsOf = (post: { mentions: { acct: string }[] }): string[] => post.mentions.map(({ acct }) => acct);
  const post = (status: string, more: object = {}, user = alice) =>
    as(user, 'POST', '/api/v1/statuses', { status, ...more });

  for (const visibility of ['public', 'private', 'direct'] as const) {
    it(`are mentioned and linked in a ${visibility} post, and receive it`, async () => {
      scene.actor(`new-${visibility}`);
      const handle = `new-${visibility}@${peer.host}`;
      const made = await post(`Hi @${handle}`, { visibility });
      expect(acctsOf(made)).to.deep.equal([handle]);
      expect(made.content).to.contain(`href="${peer.origin}/users/new-${visibility}" class="u-url mention"`);
      const { peer: arrived } = await scene.news();
      expect(arrived.map(({ type, object }) => [type, (object as Json)['id']])).to.deep.include([
        'Create',
        made.uri,
      ]);
    });
  }

  it('are looked up at once, and once for both requests of an Idempotency-Key', async () => {
    scene.actor('once');
    const before = peer.asked.length;
    const send = () =>
      server.call('POST', '/api/v1/statuses', {
        token: alice.token,
        body: { status: `Once @once@${peer.host}` },
        headers: { 'Idempotency-Key': 'once' },
      });
    const answers = await Promise.all([send(), send()]);
    expect(new Set(answers.map(({ body }) => String(body.id))).size).to.equal(1);
    expect(answers.map(({ body }) => acctsOf(body))).to.deep.equal(Array(2).fill([`once@${peer.host}`]));
    const paths = peer.asked.slice(before).map(({ path }) => path);
    expect(paths.filter((path) => path === '/users/once')).to.have.length.at.most(2);
    expect(paths.filter((path) => path.startsWith('/.well-known/webfinger'))).to.have.length(1);
  });

  it('are mentioned in edits, scheduled posts, biographies and fields', async () => {
    for (const name of ['edited', 'scheduled', 'friend', 'field']) scene.actor(name);
    const { id } = await post('Plain');
    const edited = await as(alice, 'PUT', `/api/v1/statuses/${id}`, { status: `@edited@${peer.host}` });
    expect(acctsOf(edited)).to.deep.equal([`edited@${peer.host}`]);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const waiting = { scheduled_at: later, visibility: 'direct' };
    await post(`@scheduled@${peer.host}`, waiting);
    expect((await call(alice, 'POST', '/api/v1/statuses', { status: 'Me', ...waiting })).status).to.equal(
      422,
    );
    expect((await scene.resolve(`${peer.origin}/users/scheduled`))?.account).to.be.a('string');
    const profile = await as(alice, 'PATCH', '/api/v1/accounts/update_credentials', {
      note: `With @friend@${peer.host}`,
      fields_attributes: [{ name: 'Boss', value: `@field@${peer.host}` }],
    });
    expect(profile.note).to.contain(`href="${peer.origin}/users/friend"`);
    expect(profile.fields[0].value).to.contain(`href="${peer.origin}/users/field"`);
  });

  it('are not looked up for a post that is refused anyway', async () => {
    scene.actor('spared');
    const handle = `@spared@${peer.host}`;
    const refused = [
      { status: `${handle} ${'x'.repeat(500)}` },
      { status: handle, in_reply_to_id: '1' },
      { status: `${handle} @bob@☃.net`, visibility: 'direct' },
      { status: handle, poll: { options: ['one'], expires_in: 600 } },
      { status: handle, scheduled_at: new Date(Date.now() + 60_000).toISOString() },
    ];
    for (const body of refused) {
      expect((await call(alice, 'POST', '/api/v1/statuses', body)).status, JSON.stringify(body)).to.be.within(
        404,
        422,
      );
    }
    expect(peer.asked.filter(({ path }) => path.includes('spared'))).to.deep.equal([]);
  });

  it('are named by the refusal of a direct post when they are not found', async () => {
    const status = `@bob and @nobody@${peer.host}`;
    const refused = await call(alice, 'POST', '/api/v1/statuses', { status, visibility: 'direct' });
    expect(refused.status).to.equal(422);
    expect(refused.body.error).to.equal(
      `Validation failed: Text mentions @nobody@${peer.host}, which was not found`,
    );
    expect(acctsOf(await post(status))).to.deep.equal(['bob']);
  });

  it('are never the local account of that name', async () => {
    for (const host of ['☃.net', '-x.example', '[2001:db8::1]', '😀.example']) {
      const status = `Look @bob@${host}`;
      const refused = await call(alice, 'POST', '/api/v1/statuses', { status, visibility: 'direct' });
      expect([refused.status, refused.body.error]).to.deep.equal([
        422,
        `Validation failed: Text mentions @bob@${host}, which is not the handle of an account`,
      ]);
      const open = await post(status);
      expect([acctsOf(open), open.content]).to.deep.equal([[], `<p>${status}</p>`]);
    }
    expect(await as(bob, 'GET', '/api/v1/notifications?types[]=mention')).to.have.length(1);
  });

  it('are dropped from a direct post where they block its author, unless no other account remains', async () => {
    await as(bob, 'POST', `/api/v1/accounts/${alice.id}/block`);
    const own = await post(`@alice @bob@${server.app.instance.domain}`, { visibility: 'direct' });
    expect(acctsOf(own)).to.deep.equal(['alice']);
    const refused = await call(alice, 'POST', '/api/v1/statuses', { status: '@bob', visibility: 'direct' });
    expect(refused.body.error).to.equal('Validation failed: Text mentions @bob, which was not found');
    await as(bob, 'POST', `/api/v1/accounts/${alice.id}/unblock`);
  });

  it('are ten at most, and two at a time at one host', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `crowd${index}`);
    let [now, most] = [0, 0];
    for (const name of names) {
      evil.actor(name);
      const uri = `${evil.origin}/users/${name}`;
      const { subject, links } = { subject: `acct:${name}@${evil.host}`, links: [] as object[] };
      links.push({ rel: 'self', type: 'application/activity+json', href: uri });
      evil.finger(name, { subject, links });
    }
    const path = (name: string) => `/users/${name}`;
    for (const name of names) {
      const document = {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: `${evil.origin}${path(name)}`,
        type: 'Person',
        preferredUsername: name,
        inbox: `${evil.origin}${path(name)}/inbox`,
      };
      evil.put(path(name), (_req, res) => {
        now += 1;
        most = Math.max(most, now);
        setTimeout(() => {
          now -= 1;
          res.type('application/activity+json').send(Buffer.from(JSON.stringify(document)));
        }, 20);
      });
    }
    const made = await post(names.map((name) => `@${name}@${evil.host}`).join(' '));
    expect(acctsOf(made)).to.deep.equal(names.slice(0, 10).map((name) => `${name}@${evil.host}`));
    await server.waitUntilIdle();
    expect(
      evil.asked.filter(({ path: at }) => at.includes('crowd11') || at.includes('crowd10')),
    ).to.deep.equal([]);
    expect(most).to.be.at.most(4);
  });

  it('are looked up 30 times an hour for one user at one host', async () => {
    for (let round = 0; round < 5; round += 1) {
      const names = Array.from({ length: 10 }, (_, index) => `@none${round}x${index}@${evil.host}`);
      await post(names.join(' '), {}, bob);
    }
    expect(evil.asked.filter(({ path }) => path.includes('none'))).to.have.length(30);
    scene.actor('known', evil);
    expect(acctsOf(await post(`@known@${evil.host}`, {}, bob))).to.deep.equal([]);
    expect(acctsOf(await post(`@known@${evil.host}`))).to.deep.equal([`known@${evil.host}`]);
  });

  describe('on a server that does not answer in time', () => {
    const slow = { answers: false };
    const handle = (): string => `slow@${peer.host}`;

    before(() => {
      const arrivals = scene.actor('slow');
      const document = {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: arrivals,
        type: 'Person',
        preferredUsername: 'slow',
        inbox: `${arrivals}/inbox`,
      };
      peer.put('/users/slow', (_req, res) => {
        if (slow.answers) res.type('application/activity+json').send(Buffer.from(JSON.stringify(document)));
        else res.status(503).end();
      });
    });

    it('are named by the refusal of a direct post', async () => {
      const body = { status: `@${handle()}`, visibility: 'direct' };
      const refused = await call(alice, 'POST', '/api/v1/statuses', body);
      expect([refused.status, refused.body.error]).to.deep.equal([
        422,
        `Validation failed: Text mentions @${handle()}, whose server does not answer; try again later`,
      ]);
    });

    it('are mentioned, linked and told by a job after the post', async () => {
      const made = await post(`Hello @${handle()} & @bob`);
      expect(acctsOf(made)).to.deep.equal(['bob']);
      await scene.news();
      slow.answers = true;
      await server.app.db.query(
        `update jobs.job set start_after = now() where name = 'resolve-mentions' and state = 'created'`,
      );
      await eventually(async () => {
        await server.waitUntilIdle();
        const now = await as(bob, 'GET', `/api/v1/statuses/${made.id}`);
        expect(acctsOf(now)).to.deep.equal(['bob', handle()]);
        expect(now.content).to.contain(
          `<a href="${peer.origin}/users/slow" class="u-url mention">@<span>slow`,
        );
        expect(now.content).to.contain('&amp; <span class="h-card"');
        expect(now.edited_at).to.equal(null);
      });
      const { peer: arrived } = await scene.news();
      const [create] = arrived.filter(({ type }) => type === 'Create');
      const { tag } = create?.['object'] as { tag: { href: string }[] };
      expect(tag.map(({ href }) => href)).to.include(`${peer.origin}/users/slow`);
      const edited = await as(alice, 'PUT', `/api/v1/statuses/${made.id}`, {
        status: `Hello @${handle()} & @bob`,
        spoiler_text: 'Greetings',
      });
      expect(acctsOf(edited)).to.deep.equal(['bob', handle()]);
      expect(edited.content).to.contain('>@<span>slow</span>');
    });
  });

  it('are not added by the job after an edit of the text, nor linked for accounts that are not addressed', () => {
    const account = (name: string) => ({
      id: `${name.length}`,
      username: name,
      acct: `${name}@far.example`,
      url: `https://far.example/@${name}`,
    });
    const [new1, other] = [account('new1'), account('other')];
    const text = '@new1@far.example @other@far.example';
    const own = { id: '1', account_id: '2', text };
    const uri = 'acct:new1@far.example';
    const data = {
      ...(StatusCreated.samples[2] as unknown as Extract<StatusEvent, { type: 'StatusCreated' }>['data']),
      ...own,
      content: `<p>${text}</p>`,
      mentions: [],
      unresolved_mentions: [uri],
    };
    const state = status.evolve(status.initialState, { type: 'StatusCreated', data });
    const facts = {
      origin: 'https://rookery.example',
      mentioned: new Map([new1, other].map((each) => [each.acct, each])),
      quotedUrl: undefined,
    };
    const [event] = decideResolveOwn(state, own, [{ uri, mention: new1 }], facts);
    if (event?.type !== 'MentionsResolved') throw new Error('nothing resolved');
    expect(event.data.mentions).to.deep.equal([new1]);
    expect(event.data.content).to.contain('<span>new1</span>').and.contain(' @other@far.example</p>');
    const after = status.evolve(state, event);
    expect(decideResolveOwn(after, own, [{ uri, mention: new1 }], facts)).to.deep.equal([]);
    const changed = { ...own, text: 'Another text' };
    expect(decideResolveOwn(state, changed, [{ uri, mention: new1 }], facts)).to.deep.equal([]);
  });
});
