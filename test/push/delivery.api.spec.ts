import { expect } from 'chai';
import { announcePush, causesOf, deliverPush } from '#commands/push/index.ts';
import type { Account, Collection, Notification, Status } from '#mastodon/schemas/index.ts';
import { actsOf } from '../notifications/support.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, startTown, type Town } from '../support/people.ts';
import { pushReceiver, type PushService, startPushService } from '../support/push-service.ts';
import { letFollow, remoteAccount } from '../support/remote.ts';
import { pushed, subscribe } from './support.ts';

describe('Push notifications', () => {
  let town: Town;
  let acts: ReturnType<typeof actsOf>;
  let service: PushService;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  before(async function () {
    this.timeout(120_000);
    service = await startPushService();
    town = await startTown({ ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1' });
    acts = actsOf(town);
    alice = await town.person('alice');
    bob = await town.person('bob', { display_name: 'Bob the "builder"' });
    carol = await town.person('carol');
  });
  after(async () => {
    await town.close();
    await service.close();
  });

  const post = (who: Person, body: object): Promise<Status> => acts.post(who, body);
  const titles = (messages: Record<string, unknown>[]): unknown[] =>
    messages.map(({ title }) => title).sort();
  const cause = (id: string, statusId: string, from: Person) => ({
    id,
    about: { kind: 'status' as const, status_id: statusId, from_account_id: from.id },
  });
  const once = { signal: new AbortController().signal, last: false };

  it("contain Mastodon's fields, encrypted for the app, by the standard and by its drafts", async () => {
    const account = (await bob.get<Account>(`/api/v1/accounts/${bob.id}`)).json;
    for (const standard of [true, false]) {
      const name = `form-${standard}`;
      const { access_token } = await town.app.tokens.issue({
        applicationId: '1',
        accountId: alice.id,
        scopes: ['push', 'read'],
      });
      const app = await subscribe(service, town.withToken(access_token), name, ['mention'], { standard });
      const { id } = await post(bob, { status: `@alice hello <b> & ${name}` });
      await pushed(town);
      const [message, ...more] = app.messages();
      expect(more).to.deep.equal([]);
      expect(message).to.deep.equal({
        // Apps for iOS read a number, and JavaScript would round it.
        notification_id: Number(id),
        // Old apps choose the account by it, and need a text.
        access_token: standard ? '' : access_token,
        preferred_locale: 'en',
        notification_type: 'mention',
        icon: account.avatar_static,
        title: 'Bob the "builder" mentioned you',
        body: `@alice hello <b> & ${name}`,
      });
      // A web app requests this id instead of the notification's, and finds it.
      const found = await alice.get<Notification>(`/api/v1/notifications/${Number(id)}`);
      expect(found.json.id).to.equal(id);
      expect((await alice.get(`/api/v1/notifications/${BigInt(id) + 100n}`)).status).to.equal(404);
      expect((await bob.get(`/api/v1/notifications/${Number(id)}`)).status).to.equal(404);
      const [{ headers } = { headers: {} }] = service.received.filter(({ path }) => path === name);
      expect(headers).to.include({
        ttl: '172800',
        urgency: 'normal',
        'content-type': 'application/octet-stream',
        'content-encoding': standard ? 'aes128gcm' : 'aesgcm',
      });
      await town.withToken(access_token).delete('/api/v1/push/subscription');
    }
  });

  it('arrive for each enabled type', async () => {
    const all = await subscribe(service, await alice.withScopes('push'), 'all', [
      ...(['mention', 'status', 'reblog', 'follow', 'favourite', 'poll', 'update'] as const),
      ...(['quote', 'quoted_update'] as const),
    ]);
    const few = await subscribe(service, await alice.withScopes('push'), 'few', ['favourite']);
    const mine = await post(alice, { status: 'pick', poll: { options: ['a', 'b'], expires_in: 3_600 } });
    await acts.favourite(carol, mine.id);
    await acts.act(carol, `statuses/${mine.id}/reblog`);
    await acts.follow(carol, alice);
    const quote = await post(carol, { status: 'see', quoted_status_id: mine.id });
    await acts.follow(alice, carol, { notify: true });
    const theirs = await post(carol, { status: 'news' });
    await acts.act(alice, `statuses/${theirs.id}/reblog`);
    await acts.ok(carol.put(`/api/v1/statuses/${theirs.id}`, { status: 'newer' }));
    await post(alice, { status: 'I quote', quoted_status_id: quote.id });
    await acts.ok(carol.put(`/api/v1/statuses/${quote.id}`, { status: 'see this' }));
    await acts.happen({
      type: 'PollClosed',
      data: {
        id: mine.id,
        account_id: alice.id,
        poll_id: mine.poll?.id ?? '',
        close_id: town.app.systemContext('spec').newId(),
        closed_at: new Date().toISOString(),
      },
    });
    await pushed(town);
    expect(titles(all.messages())).to.deep.equal([
      'Your poll has ended',
      'carol boosted your post',
      'carol edited a post that you boosted',
      'carol edited a post that you quoted',
      'carol favourited your post',
      'carol is now following you',
      'carol just posted',
      'carol quoted your post',
    ]);
    expect(titles(few.messages())).to.deep.equal(['carol favourited your post']);
    for (const who of [alice, carol]) {
      await acts.act(who, `accounts/${who === alice ? carol.id : alice.id}/unfollow`);
    }
  });

  it('tell voters about the end, staff about new users and reports, and locked accounts about requests', async () => {
    const staff = await town.staff('mod', 'Moderator');
    const staffApp = await subscribe(service, await staff.withScopes('push'), 'staff', [
      'admin.sign_up',
      'admin.report',
    ]);
    const noStaff = await subscribe(service, await bob.withScopes('push'), 'no-staff', [
      'admin.sign_up',
      'admin.report',
      'poll',
    ]);
    const asked = await post(carol, { status: 'vote', poll: { options: ['a', 'b'], expires_in: 3_600 } });
    await acts.act(bob, `polls/${asked.poll?.id}/votes`, { choices: [0] });
    const locked = await town.person('locked', { locked: true });
    const lockedApp = await subscribe(service, locked, 'locked', ['follow', 'follow_request']);
    await acts.follow(bob, locked);
    await acts.happen({
      type: 'PollClosed',
      data: {
        id: asked.id,
        account_id: carol.id,
        poll_id: asked.poll?.id ?? '',
        close_id: town.app.systemContext('spec').newId(),
        closed_at: new Date().toISOString(),
      },
    });
    await acts.act(bob, 'reports', { account_id: carol.id });
    await pushed(town);
    expect(titles(staffApp.messages())).to.deep.equal([
      'Bob the "builder" filed a report',
      'locked signed up',
    ]);
    expect(titles(noStaff.messages())).to.deep.equal(['A poll by carol has ended']);
    expect(titles(lockedApp.messages())).to.deep.equal(['Bob the "builder" wants to follow you']);
  });

  it('tell users about actions of staff, unless these are silent', async () => {
    const staff = await town.staff('warner', 'Moderator');
    const warned = await town.person('warned', { note: '<p>About me</p>' });
    const app = await subscribe(service, warned, 'warned', ['moderation_warning'], { policy: 'followed' });
    const act = (more: object) =>
      acts.act(staff, `admin/accounts/${warned.id}/action`, { type: 'none', ...more });
    await act({ text: 'Quietly', send_email_notification: false });
    await act({ text: 'Please stop' });
    await pushed(town);
    const messages = app
      .messages()
      .map(({ notification_type, title, body }) => ({ notification_type, title, body }));
    expect(messages).to.deep.equal([
      { notification_type: 'moderation_warning', title: 'You have received a moderation warning', body: '' },
    ]);
  });

  it('tell users that they were added to a collection', async () => {
    const found = await town.person('found', { discoverable: true });
    const app = await subscribe(service, found, 'found', ['added_to_collection', 'collection_update']);
    const { collection } = await acts.act<{ collection: Collection }>(carol, 'collections', {
      name: 'Bird people',
      account_ids: [found.id],
    });
    const path = `/api/v1/collections/${collection.id}`;
    await acts.ok(carol.patch(path, { sensitive: true }));
    await acts.ok(carol.patch(path, { name: 'Birds' }));
    await pushed(town);
    expect(titles(app.messages())).to.deep.equal([
      'carol added you to a collection',
      'carol changed a collection that you are in',
    ]);
  });

  it('tell users that they lost followers with a server', async () => {
    const gail = await town.person('gail');
    const app = await subscribe(service, gail, 'gail', ['severed_relationships'], { policy: 'followed' });
    const far = await remoteAccount(town.app, 'fan', 'lost.example');
    await letFollow(town.app, far, gail.id);
    await acts.act(gail, 'domain_blocks', { domain: 'lost.example' });
    await pushed(town);
    expect(
      app.messages().map(({ notification_type, title }) => ({ notification_type, title })),
    ).to.deep.equal([
      { notification_type: 'severed_relationships', title: 'Some of your connections were ended' },
    ]);
  });

  it('are limited to senders that the policy allows', async () => {
    const dora = await town.person('dora');
    await acts.follow(dora, bob);
    await acts.follow(carol, dora);
    const apps = new Map(
      await Promise.all(
        ['all', 'followed', 'follower', 'none'].map(
          async (policy) =>
            [
              policy,
              await subscribe(service, await dora.withScopes('push'), `p-${policy}`, ['favourite'], {
                policy,
              }),
            ] as const,
        ),
      ),
    );
    const { id } = await post(dora, { status: 'mine' });
    await acts.favourite(bob, id);
    await acts.favourite(carol, id);
    await pushed(town);
    const [byBob, byCarol] = ['Bob the "builder" favourited your post', 'carol favourited your post'];
    expect([...apps].map(([policy, app]) => [policy, titles(app.messages())])).to.deep.equal([
      ['all', [byBob, byCarol]],
      ['followed', [byBob]],
      ['follower', [byCarol]],
      ['none', []],
    ]);
  });

  it('leave out muted and blocked accounts, muted threads, and filtered posts', async () => {
    const erin = await town.person('erin');
    const [muted, blocked, strange] = [
      await town.person('muted'),
      await town.person('blocked'),
      await town.person('strange'),
    ];
    const app = await subscribe(service, erin, 'erin', ['mention', 'favourite']);
    await acts.act(erin, `accounts/${muted.id}/mute`);
    await acts.act(erin, `accounts/${blocked.id}/block`);
    for (const who of [muted, blocked]) await post(who, { status: '@erin listen' });
    // A private mention by a stranger becomes a notification request.
    await post(strange, { status: '@erin psst', visibility: 'direct' });
    const thread = await post(erin, { status: 'a thread' });
    await acts.act(erin, `statuses/${thread.id}/mute`);
    await post(carol, { status: '@erin in the thread', in_reply_to_id: thread.id });
    await pushed(town);
    expect(app.messages()).to.deep.equal([]);
    await post(carol, { status: '@erin in the open', spoiler_text: 'careful' });
    await pushed(town);
    expect(app.messages().map(({ body }) => body)).to.deep.equal(['careful']);
  });

  it('are decided when they are sent: deleted and muted subjects are left out', async () => {
    const fay = await town.person('fay');
    const { id } = await post(fay, { status: 'mine' });
    await acts.favourite(bob, id);
    const [{ id: notificationId } = { id: '' }] = (await fay.get<Notification[]>('/api/v1/notifications'))
      .json;
    const app = await subscribe(service, fay, 'fay', ['favourite']);
    const deliver = () =>
      deliverPush(
        town.app.systemContext('spec'),
        { notificationId, subscriptionIds: [String(app.subscription.id)] },
        once,
      );
    await acts.act(fay, `accounts/${bob.id}/mute`);
    expect(await deliver()).to.equal(0);
    expect(app.messages()).to.deep.equal([]);
    await acts.act(fay, `accounts/${bob.id}/unmute`);
    expect(await deliver()).to.equal(0);
    expect(titles(app.messages())).to.deep.equal(['Bob the "builder" favourited your post']);
    await acts.ok(fay.delete(`/api/v1/statuses/${id}`));
    await town.app.db.query('delete from durable.push_deliveries');
    expect(await deliver()).to.equal(0);
    expect(app.messages()).to.have.length(1);
  });

  it('are sent once, however often the event is repeated', async () => {
    const gus = await town.person('gus');
    const app = await subscribe(service, gus, 'gus', ['favourite']);
    const { id } = await post(gus, { status: 'mine' });
    await acts.favourite(bob, id);
    await pushed(town);
    expect(app.messages()).to.have.length(1);
    const [{ id: nid } = { id: '' }] = (await gus.get<Notification[]>('/api/v1/notifications')).json;
    await announcePush(town.app.systemContext('spec'), cause(nid, id, bob), once.signal);
    await pushed(town);
    expect(app.messages()).to.have.length(1);
  });

  it('are retried while the service is down, but not to devices that have them', async () => {
    const hal = await town.person('hal');
    const down = await subscribe(service, await hal.withScopes('push'), 'down', ['favourite']);
    const up = await subscribe(service, await hal.withScopes('push'), 'up', ['favourite']);
    service.answers.set('down', 503);
    const { id } = await post(hal, { status: 'mine' });
    await acts.favourite(bob, id);
    const failed = () => service.received.filter(({ path }) => path === 'down').length;
    await eventually(() => expect(failed()).to.equal(1));
    service.answers.delete('down');
    await pushed(town);
    expect(failed()).to.equal(2);
    expect(down.messages()).to.have.length(2);
    expect(up.messages()).to.have.length(1);
  });

  it('end when the push service no longer knows the subscription, or refuses for long', async () => {
    const ivy = await town.person('ivy');
    const [gone, refusing, limited] = [
      await ivy.withScopes('push'),
      await ivy.withScopes('push'),
      await ivy.withScopes('push'),
    ];
    await subscribe(service, gone, 'gone', ['favourite']);
    const { subscription } = await subscribe(service, refusing, 'refusing', ['favourite']);
    await subscribe(service, limited, 'limited', ['favourite']);
    service.answers.set('gone', 410).set('refusing', 403);
    const { id } = await post(ivy, { status: 'mine' });
    await acts.favourite(bob, id);
    await pushed(town);
    const there = async (client: typeof gone) => (await client.get('/api/v1/push/subscription')).status;
    expect(await there(gone)).to.equal(404);
    expect(await there(refusing)).to.equal(200);
    expect(service.received.filter(({ path }) => path === 'refusing')).to.have.length(1);
    const [{ id: nid } = { id: '' }] = (await ivy.get<Notification[]>('/api/v1/notifications')).json;
    const again = { notificationId: nid, subscriptionIds: [String(subscription.id)] };
    for (let time = 2; time <= 20; time += 1) {
      expect(await there(refusing), `after ${time - 1}`).to.equal(200);
      await deliverPush(town.app.systemContext('spec'), again, once);
    }
    expect(await there(refusing)).to.equal(404);
    expect(await there(limited)).to.equal(200);
  });

  it('are abandoned after the last attempt, and counted', async () => {
    const jon = await town.person('jon');
    const app = await subscribe(service, jon, 'jon', ['favourite']);
    const { id } = await post(jon, { status: 'mine' });
    await acts.favourite(bob, id);
    await pushed(town);
    const [{ id: nid } = { id: '' }] = (await jon.get<Notification[]>('/api/v1/notifications')).json;
    await town.app.db.query('delete from durable.push_deliveries');
    service.answers.set('jon', 429);
    const ids = { notificationId: nid, subscriptionIds: [String(app.subscription.id)] };
    const failures = async () =>
      (
        await town.app.db.query<{ failures: number }>(
          `select failures from durable.push_subscriptions where id = ${app.subscription.id}`,
        )
      )[0]?.failures;
    expect(await deliverPush(town.app.systemContext('spec'), ids, once)).to.equal(1);
    expect(await failures()).to.equal(0);
    expect(await deliverPush(town.app.systemContext('spec'), ids, { ...once, last: true })).to.equal(1);
    expect(await failures()).to.equal(1);
    // An outage counts as one failure an hour, whatever the number of messages.
    await deliverPush(town.app.systemContext('spec'), ids, { ...once, last: true });
    expect(await failures()).to.equal(1);
    await town.app.db.query(
      `update durable.push_subscriptions set failed_at = failed_at - interval '61 minutes'`,
    );
    await deliverPush(town.app.systemContext('spec'), ids, { ...once, last: true });
    expect(await failures()).to.equal(2);
    service.answers.delete('jon');
    expect(await deliverPush(town.app.systemContext('spec'), ids, once)).to.equal(0);
    expect(await failures()).to.equal(0);
  });

  it('wait as long as the service requests, without counting as failures, within limits', async () => {
    const lea = await town.person('lea');
    const app = await subscribe(service, lea, 'lea', ['favourite']);
    service.answers.set('lea', (res) => void res.writeHead(429, { 'Retry-After': '1' }).end());
    const { id } = await post(lea, { status: 'mine' });
    await acts.favourite(bob, id);
    await eventually(() => expect(app.messages().length).to.be.at.least(2));
    service.answers.delete('lea');
    await eventually(async () => {
      const sent = await town.app.db.query(
        `select from durable.push_deliveries where push_subscription_id = ${app.subscription.id}`,
      );
      expect(sent).to.have.length(1);
    });
    await town.app.db.query('delete from durable.push_deliveries');
    const [{ id: nid } = { id: '' }] = (await lea.get<Notification[]>('/api/v1/notifications')).json;
    service.answers.set('lea', (res) => void res.writeHead(429, { 'Retry-After': '600' }).end());
    const ids = { notificationId: nid, subscriptionIds: [String(app.subscription.id)] };
    const failures = async () =>
      (
        await town.app.db.query<{ failures: number }>(
          `select failures from durable.push_subscriptions where id = ${app.subscription.id}`,
        )
      )[0]?.failures;
    expect(await deliverPush(town.app.systemContext('spec'), { ...ids, putOff: 8 }, once)).to.equal(0);
    expect(await failures()).to.equal(1);
    service.answers.delete('lea');
  });

  it('are not sent to addresses within private networks', async () => {
    const kim = await town.person('kim');
    const { status } = await kim.post('/api/v1/push/subscription', {
      subscription: { endpoint: 'https://10.255.255.1/hook', keys: pushReceiver().keys },
      data: { alerts: { favourite: true } },
    });
    expect(status).to.equal(200);
    const { id } = await post(kim, { status: 'mine' });
    await acts.favourite(bob, id);
    await pushed(town);
    const [row] = await town.app.db.query<{ failures: number }>(
      `select failures from durable.push_subscriptions where account_id = ${kim.id}`,
    );
    // It fails at once, without a retry.
    expect(row?.failures).to.equal(1);
  });

  it('cost nothing for posts without recipients', () => {
    const data = { id: '1', account_id: '2', mentions: [], quote: null, visibility: 'direct' };
    const [cause] = causesOf({
      type: 'StatusCreated',
      data: { ...data, in_reply_to_account_id: null },
    } as never);
    expect(cause?.told).to.deep.equal({ account_ids: [], followers: false });
  });
});
