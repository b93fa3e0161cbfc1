import { expect } from 'chai';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';

describe('Posting', () => {
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
  });
  after(() => server.close());

  const post = (user: TestUser, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    server.call('POST', '/api/v1/statuses', { token: user.token, body, headers });

  it('returns the status, which its author can read immediately, also in the home timeline', async () => {
    const made = await post(alice, { status: 'Hello #World, hello @bob' });
    expect(made.status).to.equal(200);
    expect(made.body.content).to.contain('class="mention hashtag"').and.to.contain('@<span>bob</span>');
    expect(made.body.account.acct).to.equal('alice');
    expect(made.body.mentions).to.have.length(1);
    expect(made.body.tags).to.deep.equal([{ name: 'world', url: 'https://rookery.example/tags/world' }]);
    const read = await server.call('GET', `/api/v1/statuses/${made.body.id}`, { token: alice.token });
    expect(read.body).to.deep.equal(made.body);
    const home = await server.call('GET', '/api/v1/timelines/home', { token: alice.token });
    expect(home.body[0].id).to.equal(made.body.id);
  });

  it('creates one post for repeated requests with the same Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'abc' };
    const answers = await Promise.all([1, 2, 3].map(() => post(alice, { status: 'only once' }, key)));
    const ids = new Set(answers.map(({ body }) => body.id as string));
    expect(ids.size).to.equal(1);
  });

  it('returns the first post when its Idempotency-Key is used with another text', async () => {
    const key = { 'Idempotency-Key': 'one key' };
    const first = await post(alice, { status: 'the first text' }, key);
    const form = uploadForm(await picture(64, 48, 'png'));
    const media = await server.call('POST', '/api/v2/media', { token: alice.token, body: form });
    const media_ids = [media.body.id as string];
    const other = await post(alice, { status: 'another text', media_ids }, key);
    expect([other.status, other.body]).to.deep.equal([200, first.body]);
    expect((await post(alice, { status: 'free', media_ids })).status).to.equal(200);
    const elsewhere = await post(bob, { status: 'another user' }, key);
    expect(elsewhere.body.content).to.equal('<p>another user</p>');
    await server.call('DELETE', `/api/v1/statuses/${first.body.id}`, { token: alice.token });
    expect((await post(alice, { status: 'a third text' }, key)).status).to.equal(404);
  });

  it('creates one of several simultaneous posts with the same Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'at once' };
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((status) => post(alice, { status }, key)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(answers.map(({ body }) => `${body.id} ${body.content}`)).size).to.equal(1);
  });

  it('creates a new post when a refused one is corrected under its Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'refused at first' };
    expect((await post(alice, { status: 'x'.repeat(501) }, key)).status).to.equal(422);
    const between = await post(alice, { status: 'between' });
    const corrected = await post(alice, { status: 'short enough' }, key);
    expect(corrected.status).to.equal(200);
    expect(BigInt(corrected.body.id as string) > BigInt(between.body.id as string)).to.equal(true);
  });

  it('replies to a repeated request with the current state of the post', async () => {
    const again = () => post(alice, { status: 'at first' }, { 'Idempotency-Key': 'edited' });
    const { body: first } = await again();
    const edit = { token: alice.token, body: { status: 'edited since' } };
    await server.call('PUT', `/api/v1/statuses/${first.id}`, edit);
    expect((await again()).body).to.include({ id: first.id, content: '<p>edited since</p>' });
  });

  it('accepts forms as well as JSON', async () => {
    const form = new URLSearchParams({ status: 'from a form', sensitive: 'true', visibility: 'unlisted' });
    const made = await server.call('POST', '/api/v1/statuses', { token: alice.token, body: form });
    expect(made.body).to.include({ sensitive: true, visibility: 'unlisted' });
  });

  it('refuses a post that mentions unexpected accounts, and lists those accounts', async () => {
    const status = 'hello @bob and @alice';
    const { status: code, body } = await post(alice, { status, allowed_mentions: [] });
    const { body: account } = await server.call('GET', `/api/v1/accounts/${bob.id}`);
    expect([code, body]).to.deep.equal([
      422,
      { error: 'Post would be sent to unexpected accounts', unexpected_accounts: [account] },
    ]);
    expect((await post(alice, { status, allowed_mentions: [bob.id] })).status).to.equal(200);
  });

  it('reports invalid parameters with the texts of Mastodon', async () => {
    const { status, body } = await post(alice, { status: 'x', visibility: 'secret' });
    expect([status, body]).to.deep.equal([
      422,
      {
        error: 'Validation failed: Visibility is not included in the list',
        details: { visibility: [{ error: 'ERR_INCLUSION', description: 'is not included in the list' }] },
      },
    ]);
    const poll = { options: ['a', 'b'], expires_in: 'soon' };
    expect((await post(alice, { status: 'x', poll })).body.error).to.equal(
      'Validation failed: Deadline is too soon',
    );
  });

  it('accepts numbers and ignores parameters of other types, as Rails does', async () => {
    const texts = { status: 5, spoiler_text: 6, sensitive: 'maybe', language: ['de'], poll: {} };
    const { status, body } = await post(alice, texts);
    expect([status, body.content, body.spoiler_text, body.sensitive, body.poll]).to.deep.equal([
      200,
      '<p>5</p>',
      '6',
      true,
      null,
    ]);
    const others = { status: 'x', visibility: ['direct'], allowed_mentions: null, poll: 'x' };
    expect((await post(alice, others)).body).to.include({ content: '<p>x</p>', visibility: 'public' });
    const poll = { options: ['a', 'b'], expires_in: 600.7, multiple: 'maybe' };
    expect((await post(alice, { status: 'x', poll })).body.poll).to.include({ multiple: true });
    expect((await post(alice, { status: 'x', visibility: 5 })).status).to.equal(422);
    expect((await post(alice, { status: { a: 1 } })).body.error).to.equal(
      "Validation failed: Text can't be blank",
    );
  });

  it('finds statuses by their ids, at most twenty, newest first', async () => {
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) ids.push((await post(alice, { status: text })).body.id);
    const read = (query: string) => server.call('GET', `/api/v1/statuses?${query}`, { token: alice.token });
    const asked = await read([ids[1], ids[0], ids[2], ids[1]].map((id) => `id[]=${id}`).join('&'));
    expect(asked.body.map(({ id }: { id: string }) => id)).to.deep.equal([...ids].reverse());
    expect((await read(`id=${ids[0]}`)).body).to.deep.equal([]);
    const many = Array.from({ length: 21 }, (_, n) => `id[]=${n + 1}`);
    expect((await read(many.join('&'))).status).to.equal(422);
    expect((await read(many.slice(1).join('&'))).body).to.deep.equal([]);
  });

  it('refuses empty and overlong texts and replies to missing posts', async () => {
    expect((await post(alice, { status: ' ' })).status).to.equal(422);
    expect((await post(alice, { status: 'x'.repeat(501) })).status).to.equal(422);
    expect((await post(alice, { status: 'x', visibility: 'secret' })).status).to.equal(422);
    expect((await post(alice, { status: 'x', in_reply_to_id: '1' })).status).to.equal(404);
    expect((await post(alice, { status: { a: 1 } })).status).to.equal(422);
    const broken = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: '{"status": ',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(broken.status).to.equal(400);
  });

  it('shows each visibility to its audience only, and replies 404 to others as for a missing post', async () => {
    const direct = await post(alice, { status: 'psst @bob', visibility: 'direct' });
    const hidden = await post(alice, { status: 'followers only', visibility: 'private' });
    const path = (answer: typeof direct) => `/api/v1/statuses/${answer.body.id}`;
    expect((await server.call('GET', path(direct), { token: bob.token })).status).to.equal(200);
    const absent = await server.call('GET', '/api/v1/statuses/1', { token: bob.token });
    for (const answer of [
      await server.call('GET', path(hidden), { token: bob.token }),
      await server.call('GET', path(direct)),
      await server.call('GET', '/api/v1/statuses/not-a-number', { token: bob.token }),
    ]) {
      expect(answer.status).to.equal(404);
      expect(answer.body).to.deep.equal(absent.body);
    }
  });

  it('soft-deletes a post and returns the text, for the author only', async () => {
    const made = await post(alice, { status: 'going **soon**' });
    const path = `/api/v1/statuses/${made.body.id}`;
    expect((await server.call('DELETE', path, { token: bob.token })).status).to.equal(404);
    const deleted = await server.call('DELETE', path, { token: alice.token });
    expect(deleted.body).to.include({ id: made.body.id, text: 'going **soon**' });
    expect(deleted.body).not.to.have.property('content');
    expect((await server.call('GET', path, { token: alice.token })).status).to.equal(404);
    expect((await server.call('DELETE', path, { token: alice.token })).status).to.equal(404);
  });

  it('shows a conversation in order, with replies counted', async () => {
    const root = await post(alice, { status: 'root' });
    const reply = await post(bob, { status: 'reply', in_reply_to_id: root.body.id });
    const leaf = await post(alice, { status: 'leaf', in_reply_to_id: reply.body.id });
    const context = await server.call('GET', `/api/v1/statuses/${reply.body.id}/context`);
    expect(context.body.ancestors.map((s: { id: string }) => s.id)).to.deep.equal([root.body.id]);
    expect(context.body.descendants.map((s: { id: string }) => s.id)).to.deep.equal([leaf.body.id]);
    expect(context.body.ancestors[0].replies_count).to.equal(1);
  });

  it("shows the author's own continuation of a thread before the replies of others", async () => {
    const write = async (by: TestUser, text: string, to?: string): Promise<string> => {
      const body = { status: text, ...(to === undefined ? {} : { in_reply_to_id: to }) };
      return (await server.call('POST', '/api/v1/statuses', { token: by.token, body })).body.id as string;
    };
    const other = bob;
    const root = await write(alice, 'One of three');
    const reply = await write(other, 'Indeed', root);
    const answer = await write(alice, 'Quite so', reply);
    const second = await write(alice, 'Two of three', root);
    const late = await write(other, 'Wait', second);
    const third = await write(alice, 'Three of three', second);
    const { body } = await server.call('GET', `/api/v1/statuses/${root}/context`, { token: alice.token });
    const ids = body.descendants.map(({ id }: { id: string }) => id);
    expect(ids).to.deep.equal([second, third, reply, answer, late]);
  });

  it('refuses replies to and quotes of missing posts, whatever the id looks like', async () => {
    for (const [name, to] of [
      ['in_reply_to_id', 'reply to'],
      ['quoted_status_id', 'quote'],
    ] as const) {
      for (const id of ['1', 'abc', '-1', '9'.repeat(30), {}, 4711]) {
        const { status, body } = await post(alice, { status: 'astray', [name]: id });
        expect([status, body], `${name} ${JSON.stringify(id)}`).to.deep.equal([
          404,
          { error: `The post you are trying to ${to} does not appear to exist.` },
        ]);
      }
      for (const id of ['', null, undefined]) {
        const { status, body } = await post(alice, { status: 'by itself', [name]: id });
        expect([status, body.in_reply_to_id, body.quote]).to.deep.equal([200, null, null]);
      }
    }
  });

  it('leaves blocked and muted accounts out of a conversation, as Mastodon does', async () => {
    const root = await post(alice, { status: 'root' });
    const reply = await post(bob, { status: 'unwanted', in_reply_to_id: root.body.id });
    const leaf = await post(alice, { status: 'leaf', in_reply_to_id: reply.body.id });
    const contexts = async () => {
      const [ofRoot, ofLeaf] = await Promise.all(
        [root, leaf].map(({ body }) =>
          server.call('GET', `/api/v1/statuses/${body.id}/context`, { token: alice.token }),
        ),
      );
      const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);
      return [ids(ofRoot?.body.descendants), ids(ofLeaf?.body.ancestors)];
    };
    const whole = [
      [reply.body.id, leaf.body.id],
      [root.body.id, reply.body.id],
    ];
    expect(await contexts()).to.deep.equal(whole);
    for (const mark of ['mute', 'block']) {
      await server.call('POST', `/api/v1/accounts/${bob.id}/${mark}`, { token: alice.token });
      expect(await contexts(), mark).to.deep.equal([[leaf.body.id], [root.body.id]]);
      await server.call('POST', `/api/v1/accounts/${bob.id}/un${mark}`, { token: alice.token });
    }
    expect(await contexts()).to.deep.equal(whole);
  });

  it("pages through an account's statuses by links, each status once", async () => {
    const seen: string[] = [];
    let path: string | undefined = `/api/v1/accounts/${alice.id}/statuses?limit=3`;
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof server.call>> = await server.call('GET', path, {
        token: alice.token,
      });
      seen.push(...page.body.map((s: { id: string }) => s.id));
      path = /<https:\/\/rookery\.example([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(new Set(seen).size).to.equal(seen.length);
    const account = await server.call('GET', `/api/v1/accounts/${alice.id}`);
    // Direct messages are not counted.
    expect(account.body.statuses_count).to.equal(seen.length - 1);
  });
});
