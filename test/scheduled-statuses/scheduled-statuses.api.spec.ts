import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { migrateAccount, takeAction } from '#commands/accounts/index.ts';
import { scheduledStatus } from '#commands/scheduled-statuses/index.ts';
import {
  type ScheduledParams,
  type ScheduledStatusEvent,
  scheduledStatusStream,
  StatusScheduled,
} from '#events/scheduled-statuses.ts';
import type { ScheduledStatus, Status } from '#mastodon/schemas/index.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';

const LATER = new Date(Date.now() + 3_600_000).toISOString();

describe('Scheduled statuses over the API', () => {
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  before(async function () {
    this.timeout(120_000);
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
  });
  after(() => server.close());

  const as =
    (who: TestUser) =>
    (method: string, path: string, body?: object, headers = {}) =>
      server.call(method, path, { token: who.token, ...(body ? { body } : {}), headers });
  const post = (body: object, who = alice, headers = {}): Promise<Answer> =>
    as(who)('POST', '/api/v1/statuses', body, headers);
  const schedule = async (status: string, more: object = {}, who = alice): Promise<ScheduledStatus> => {
    const answer = await post({ status, scheduled_at: LATER, ...more }, who);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body as ScheduledStatus;
  };
  const listed = async (query = '', who = alice): Promise<string[]> =>
    ((await as(who)('GET', `/api/v1/scheduled_statuses${query}`)).body as ScheduledStatus[]).map(
      ({ id }) => id,
    );
  const posts = async (who: TestUser): Promise<Status[]> =>
    (await as(who)('GET', `/api/v1/accounts/${who.id}/statuses`)).body as Status[];

  /** Schedules a post for a moment that the API refuses as too near. */
  const dueIn = async (
    milliseconds: number,
    params: Partial<ScheduledParams>,
    who: TestUser,
    id: string,
  ): Promise<string> => {
    const ctx = server.app.systemContext('tests');
    const sample = StatusScheduled.schema.parse(StatusScheduled.samples[1]);
    const scheduled_at = new Date(Date.now() + milliseconds).toISOString();
    const event: ScheduledStatusEvent = {
      type: 'StatusScheduled',
      data: {
        ...sample,
        id,
        account_id: who.id,
        scheduled_at,
        params: { ...sample.params, poll: null, ...params },
      },
    };
    await ctx.execute(scheduledStatusStream(id), scheduledStatus, () => [event]);
    return scheduled_at;
  };
  /** Reschedules a waiting post to a moment that is sooner than the API allows. */
  const moveTo = async (milliseconds: number, who: TestUser, id: string): Promise<void> => {
    const ctx = server.app.systemContext('tests');
    const scheduled_at = new Date(Date.now() + milliseconds).toISOString();
    const data = { id, account_id: who.id, scheduled_at };
    const event: ScheduledStatusEvent = { type: 'ScheduledStatusRescheduled', data };
    await ctx.execute(scheduledStatusStream(id), scheduledStatus, () => [event]);
  };
  const published = async (id: string): Promise<{ status_id: string; published_at: string }> => {
    for (;;) {
      await server.waitUntilIdle();
      const events = await server.app.log.readStream(scheduledStatusStream(id));
      const claim = events.find(({ type }) => type === 'ScheduledStatusPublished');
      if (claim) {
        await server.waitUntilIdle();
        return claim.data as { status_id: string; published_at: string };
      }
      await sleep(10);
    }
  };

  it('store a post for later, visible to its author only', async () => {
    const poll = { options: ['Yes', 'No'], expires_in: 3_600, hide_totals: true };
    const made = await schedule('Good morning', {
      poll,
      spoiler_text: 'early',
      language: 'en',
      sensitive: true,
    });
    expect(made).to.deep.include({ scheduled_at: LATER, media_attachments: [] });
    expect(made.params).to.deep.include({
      text: 'Good morning',
      poll: { ...poll, multiple: false },
      spoiler_text: 'early',
      language: 'en',
      sensitive: true,
      visibility: 'public',
      quote_approval_policy: 'public',
      allowed_mentions: null,
      media_ids: null,
      in_reply_to_id: null,
    });
    const path = `/api/v1/scheduled_statuses/${made.id}`;
    expect((await as(alice)('GET', path)).body).to.deep.equal(made);
    expect(await listed()).to.deep.equal([made.id]);
    expect(await posts(alice)).to.deep.equal([]);
    expect(await listed('', bob)).to.deep.equal([]);
    for (const [method, body] of [['GET'], ['PUT', { scheduled_at: LATER }], ['DELETE']] as const) {
      expect((await as(bob)(method, path, body)).status).to.equal(404);
    }
    await as(alice)('DELETE', path);
  });

  it('keep the visibility and quote policy of the settings at the time of scheduling', async () => {
    await as(alice)('PATCH', '/api/v1/accounts/update_credentials', {
      source: { quote_policy: 'nobody', privacy: 'private' },
    });
    const left = await schedule('By default');
    const said = await schedule('As said', {
      visibility: 'unlisted',
      quote_approval_policy: 'followers',
      allowed_mentions: [bob.id],
    });
    await as(alice)('PATCH', '/api/v1/accounts/update_credentials', {
      source: { quote_policy: 'public', privacy: 'public' },
    });
    const path = `/api/v1/scheduled_statuses/${left.id}`;
    for (const { params } of [left, (await as(alice)('GET', path)).body as ScheduledStatus]) {
      expect(params).to.deep.include({
        visibility: 'private',
        quote_approval_policy: 'nobody',
        allowed_mentions: null,
      });
    }
    expect(said.params).to.deep.include({
      visibility: 'unlisted',
      quote_approval_policy: 'followers',
      allowed_mentions: [bob.id],
    });
    for (const { id } of [left, said]) await as(alice)('DELETE', `/api/v1/scheduled_statuses/${id}`);
  });

  it('are checked like a post', async () => {
    const refusal = async (body: object): Promise<string> => {
      const answer = await post({ scheduled_at: LATER, ...body });
      return `${answer.status} ${answer.body.error}`;
    };
    expect(await refusal({ status: '' })).to.match(/^422 .*can't be blank/);
    expect(await refusal({ status: 'x'.repeat(501) })).to.match(/^422 .*limit of 500/);
    expect(await refusal({ status: 'x', in_reply_to_id: '1' })).to.match(/^404/);
    expect(await refusal({ status: 'x', poll: { options: ['one'], expires_in: 3_600 } })).to.match(/^422/);
    expect(await refusal({ status: 'x', scheduled_at: 'tomorrow' })).to.equal('422 Record invalid');
    expect(await listed()).to.deep.equal([]);
  });

  it('refuse a time less than five minutes ahead, and post at once for a past time', async () => {
    const soon = new Date(Date.now() + 200_000).toISOString();
    const near = await post({ status: 'soon', scheduled_at: soon });
    expect([near.status, near.body.error]).to.deep.equal([
      422,
      'Validation failed: Scheduled at date must be in the future',
    ]);
    const past = new Date(Date.now() - 1_000).toISOString();
    const { status, body } = await post({ status: 'now, then', scheduled_at: past });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ content: '<p>now, then</p>' });
    expect(await listed()).to.deep.equal([]);
  });

  it('are not posted at once for a day that was written first', async () => {
    const later = new Date(Date.now() + 40 * 86_400_000).toISOString();
    const [year = '', month = '', day = ''] = later.slice(0, 10).split('-');
    for (const mark of ['/', '.', '-']) {
      const made = await schedule('later', { scheduled_at: `${[day, month, year].join(mark)} 14:35` });
      expect(made.scheduled_at).to.equal(`${later.slice(0, 10)}T14:35:00.000Z`);
      expect((await as(alice)('DELETE', `/api/v1/scheduled_statuses/${made.id}`)).status).to.equal(200);
    }
    const wrongWay = await post({ status: 'in doubt', scheduled_at: '1/2/2025 2:35:54 PM' });
    expect([wrongWay.status, wrongWay.body.error]).to.deep.equal([
      422,
      'Record invalid: write the year first, such as 2026-12-31T20:00:00Z',
    ]);
    const american = await post({ status: 'month first', scheduled_at: `12/31/${Number(year) + 1}` });
    expect([american.status, american.body.error]).to.deep.equal([422, 'Record invalid']);
    expect(await listed()).to.deep.equal([]);
  });

  it('are the same when repeated with their Idempotency-Key', async () => {
    const body = { status: 'only once', scheduled_at: LATER };
    const headers = { 'Idempotency-Key': 'scheduled' };
    const first = await post(body, alice, headers);
    const again = await post(body, alice, headers);
    expect(again.body).to.deep.equal(first.body);
    expect(await listed()).to.deep.equal([first.body.id]);
    await as(alice)('DELETE', `/api/v1/scheduled_statuses/${first.body.id}`);
  });

  it('move to another time, but not to one that is too near', async () => {
    const made = await schedule('later still');
    const path = `/api/v1/scheduled_statuses/${made.id}`;
    const at = new Date(Date.now() + 7_200_000).toISOString();
    const moved = await as(alice)('PUT', path, { scheduled_at: at });
    expect(moved.body).to.deep.equal({ ...made, scheduled_at: at });
    const soon = new Date(Date.now() + 60_000).toISOString();
    const refused = await as(alice)('PUT', path, { scheduled_at: soon });
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Validation failed: Scheduled at date must be in the future',
    ]);
    expect((await as(alice)('PUT', path, {})).body).to.deep.equal(moved.body);
    const gone = await as(alice)('DELETE', path);
    expect([gone.status, gone.body]).to.deep.equal([200, {}]);
    expect((await as(alice)('DELETE', path)).status).to.equal(404);
    expect((await as(alice)('GET', path)).status).to.equal(404);
  });

  it('are paged, newest first', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await schedule(`number ${n}`)).id);
    expect(await listed('?limit=2')).to.deep.equal(made.slice(0, 2));
    expect(await listed(`?limit=2&max_id=${made[1]}`)).to.deep.equal(made.slice(2, 4));
    expect(await listed(`?limit=2&min_id=${made[4]}`)).to.deep.equal(made.slice(2, 4));
    const { headers } = await as(alice)('GET', '/api/v1/scheduled_statuses?limit=2');
    expect(headers.get('link')).to.match(/max_id=\d+.*rel="next".*min_id=\d+.*rel="prev"/);
    for (const id of made) await as(alice)('DELETE', `/api/v1/scheduled_statuses/${id}`);
  });

  it('are limited to 25 for one day', async () => {
    const carol = await server.user('carol');
    const day = (n: number): string => new Date(Date.UTC(2099, 0, 1 + n, 12)).toISOString();
    for (let n = 0; n < 25; n += 1) await schedule(`number ${n}`, { scheduled_at: day(0) }, carol);
    const refused = await post({ status: 'one more', scheduled_at: day(0) }, carol);
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Validation failed: You have exceeded the limit of 25 scheduled posts for today',
    ]);
    const other = await schedule('another day', { scheduled_at: day(1) }, carol);
    const moved = await as(carol)('PUT', `/api/v1/scheduled_statuses/${other.id}`, { scheduled_at: day(0) });
    expect(moved.status).to.equal(422);
  });

  describe('with media', () => {
    const upload = async (description: string): Promise<string> => {
      const form = uploadForm(await picture(64, 48, 'png'), { description });
      return (await server.call('POST', '/api/v2/media', { token: alice.token, body: form })).body
        .id as string;
    };
    const descriptions = ({ media_attachments }: ScheduledStatus): unknown[] =>
      media_attachments.map(({ description }) => description);

    it('keep it until they are cancelled', async () => {
      const [one, two] = [await upload('one'), await upload('two')];
      const made = await schedule('', { media_ids: [one, two] });
      expect(descriptions(made)).to.deep.equal(['one', 'two']);
      expect(made.params.media_ids).to.deep.equal([one, two]);
      expect((await post({ status: 'taken', media_ids: [one] })).status).to.equal(422);
      await as(alice)('DELETE', `/api/v1/scheduled_statuses/${made.id}`);
      expect((await post({ status: 'free', media_ids: [one] })).status).to.equal(200);
    });

    it('change it, its descriptions and its order', async () => {
      const [one, two, three] = [await upload('one'), await upload('two'), await upload('three')];
      const { id } = await schedule('with pictures', { media_ids: [one, two] });
      const path = `/api/v1/scheduled_statuses/${id}`;
      const changed = await as(alice)('PUT', path, {
        media_ids: [three, one],
        media_attributes: [{ id: one, description: 'the first', focus: '0.5,0' }],
      });
      expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
      expect(descriptions(changed.body)).to.deep.equal(['three', 'the first']);
      expect(changed.body.media_attachments[1].meta.focus).to.deep.equal({ x: 0.5, y: 0 });
      expect((await as(alice)('GET', path)).body).to.deep.equal(changed.body);
      // The picture that the edit removed may be used elsewhere.
      expect((await post({ status: 'elsewhere', media_ids: [two] })).status).to.equal(200);
      expect((await as(alice)('PUT', path, { media_ids: ['1'] })).status).to.equal(422);
      expect((await as(alice)('PUT', path, { media_ids: [] })).body.media_attachments).to.deep.equal([]);
      await as(alice)('DELETE', path);
    });

    it('let the media endpoints read and edit it until the post is published', async () => {
      const one = await upload('one');
      const { id } = await schedule('later', { media_ids: [one] });
      const path = `/api/v1/media/${one}`;
      const shown = await as(alice)('GET', path);
      expect([shown.status, shown.body.description]).to.deep.equal([200, 'one']);
      expect((await as(bob)('GET', path)).status).to.equal(404);
      expect((await as(bob)('PUT', path, { description: 'not mine' })).status).to.equal(404);
      const changed = await as(alice)('PUT', path, { description: 'edited', focus: '0.5,0' });
      expect([changed.status, changed.body.description]).to.deep.equal([200, 'edited']);
      const [waiting] = (await as(alice)('GET', '/api/v1/scheduled_statuses')).body as ScheduledStatus[];
      expect(waiting?.media_attachments).to.deep.equal([changed.body]);

      const event: ScheduledStatusEvent = {
        type: 'ScheduledStatusPublished',
        data: { id, account_id: alice.id, status_id: '1302', poll_id: '1302', published_at: LATER },
      };
      await server.app
        .systemContext('tests')
        .execute(scheduledStatusStream(id), scheduledStatus, () => [event]);
      await server.waitUntilIdle();
      const { body } = await as(alice)('GET', '/api/v1/statuses/1302');
      expect((body as Status).media_attachments).to.deep.equal([changed.body]);
      expect((await as(alice)('GET', path)).status).to.equal(404);
      expect((await as(alice)('PUT', path, { description: 'too late' })).status).to.equal(404);
    });

    it('free it when the post is refused', async () => {
      const one = await upload('one');
      const refused = await post({ status: 'x'.repeat(501), media_ids: [one], scheduled_at: LATER });
      expect(refused.status).to.equal(422);
      expect((await post({ status: 'again', media_ids: [one] })).status).to.equal(200);
    });

    it('post it with the present descriptions', async () => {
      const one = await upload('as it was');
      const ctx = server.app.systemContext('tests');
      const { media_attachments } = (await post({ status: 'x', scheduled_at: LATER, media_ids: [one] })).body;
      expect(media_attachments).to.have.lengthOf(1);
      const [waiting] = await listed();
      await as(alice)('PUT', `/api/v1/scheduled_statuses/${waiting}`, {
        media_attributes: [{ id: one, description: 'as it is' }],
      });
      // Runs the timer as it would run an hour later.
      const claim = { status_id: '1301', poll_id: '1301', published_at: LATER };
      const event: ScheduledStatusEvent = {
        type: 'ScheduledStatusPublished',
        data: { id: waiting!, account_id: alice.id, ...claim },
      };
      await ctx.execute(scheduledStatusStream(waiting!), scheduledStatus, () => [event]);
      await server.waitUntilIdle();
      const { body } = await as(alice)('GET', '/api/v1/statuses/1301');
      expect((body as Status).media_attachments.map(({ description }) => description)).to.deep.equal([
        'as it is',
      ]);
    });
  });

  it('need the right scopes', async () => {
    const reader = await server.tokenFor(alice.id, ['read:statuses']);
    const writer = await server.tokenFor(alice.id, ['write:statuses']);
    const { id } = await schedule('mine');
    const path = `/api/v1/scheduled_statuses/${id}`;
    const status = async (token: string | undefined, method: string): Promise<number> =>
      (await server.call(method, path, { token })).status;
    expect(await status(undefined, 'GET')).to.equal(401);
    expect(await status(writer, 'GET')).to.equal(403);
    expect(await status(reader, 'DELETE')).to.equal(403);
    expect(await status(reader, 'GET')).to.equal(200);
    expect(await status(writer, 'DELETE')).to.equal(200);
  });

  describe('at their time', () => {
    it('are posted as their author would, at that moment, once', async () => {
      const dora = await server.user('dora');
      const poll = { options: ['Yes', 'No'], expires_in: 3_600, multiple: false, hide_totals: false };
      const at = await dueIn(
        150,
        { text: 'Hello @bob #morning', spoiler_text: 'hi', visibility: 'unlisted', language: 'de', poll },
        dora,
        '1001',
      );
      const { status_id: id, published_at } = await published('1001');
      const [status, ...others] = await posts(dora);
      expect(others).to.deep.equal([]);
      expect(status).to.deep.include({ id, spoiler_text: 'hi', visibility: 'unlisted', language: 'de' });
      expect(status?.mentions.map(({ acct }) => acct)).to.deep.equal(['bob']);
      expect([at, published_at, status?.created_at], 'one after the other').to.deep.equal(
        [at, published_at, status?.created_at].sort(),
      );
      expect(status?.poll?.options.map(({ title }) => title)).to.deep.equal(['Yes', 'No']);
      expect(await listed('', dora)).to.deep.equal([]);
      expect((await as(dora)('DELETE', '/api/v1/scheduled_statuses/1001')).status).to.equal(404);
      const [created] = await server.app.log.readStream(`status-${id}`);
      expect(created?.metadata).to.include({ rule: 'publish-scheduled-statuses', time: status?.created_at });
    });

    it('are posted in order after a delay', async () => {
      const erin = await server.user('erin');
      await dueIn(3_600_000, { text: 'second' }, erin, '1102');
      await server.waitUntilIdle();
      await dueIn(60, { text: 'first' }, erin, '1101');
      await published('1101');
      expect((await posts(erin)).map(({ content }) => content)).to.deep.equal(['<p>first</p>']);
      await moveTo(60, erin, '1102');
      await published('1102');
      expect((await posts(erin)).map(({ content }) => content)).to.deep.equal([
        '<p>second</p>',
        '<p>first</p>',
      ]);
    });

    it('record a failure when the parent is deleted', async () => {
      const frank = await server.user('frank');
      await dueIn(50, { text: 'to nobody', in_reply_to_id: '4711' }, frank, '1201');
      await published('1201');
      expect(await posts(frank)).to.deep.equal([]);
      const events = await server.app.log.readStream(scheduledStatusStream('1201'));
      expect(events.map(({ type }) => type)).to.deep.equal([
        'StatusScheduled',
        'ScheduledStatusPublished',
        'ScheduledStatusFailed',
      ]);
    });

    it('record a failure when the author has moved or was disabled', async () => {
      const system = server.app.systemContext('tests');
      const measure = { id: system.newId(), text: '', reportId: null, statusIds: [], notify: false };
      const leave = {
        1301: (id: string) => migrateAccount(system, { accountId: id, targetId: bob.id, force: false }),
        1302: (id: string) => takeAction(system, id, { ...measure, action: 'suspend' }, undefined),
      };
      for (const [scheduled, leaves] of Object.entries(leave)) {
        const author = await server.user(`author${scheduled}`);
        await dueIn(3_600_000, { text: 'I am still here' }, author, scheduled);
        await leaves(author.id);
        await server.waitUntilIdle();
        await moveTo(60, author, scheduled);
        await published(scheduled);
        const events = await server.app.log.readStream(scheduledStatusStream(scheduled));
        expect(events.at(-1)?.type).to.equal('ScheduledStatusFailed');
        const [posted] = await server.app.db.query('select from statuses where account_id = $1', [author.id]);
        expect(posted).to.equal(undefined);
      }
    });
  });
});
