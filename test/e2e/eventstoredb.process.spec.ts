import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from '../contracts/support/eventstoredb-double.ts';
import { serverAtHand } from '../contracts/support/server-at-hand.ts';
import { openEvents } from '../streaming/support.ts';
import { healthOf, send, signUp } from '../support/api-client.ts';
import { inTurn } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import {
  differences,
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

const serverUrl = serverAtHand();

describe(
  serverUrl
    ? 'A whole server on the EventStoreDB at EVENTSTORE_URL'
    : 'A whole server on EventStoreDB (a double of it, over gRPC)',
  function () {
    this.timeout(60_000);
    let double: EventStoreDbDouble | undefined;
    let settings: Settings;
    let rookery: RookeryProcess;
    let alice: string;
    let bob: string;
    /** A suffix for usernames, because a real log may hold the names of earlier runs. */
    const run = randomBytes(3).toString('hex');

    before(async () => {
      double = serverUrl ? undefined : await startEventStoreDbDouble();
      settings = await freshSettings({ EVENTSTORE_URL: serverUrl ?? double?.url ?? '' });
      rookery = await startRookery(settings);
    });
    after(async () => {
      await rookery.end();
      await double?.kill();
      await discard(settings);
    });

    const post = (token: string, status: string, key: string) =>
      send(rookery.url, 'POST', '/api/v1/statuses', {
        token,
        body: { status },
        headers: { 'Idempotency-Key': key },
      });
    const home = async (token: string): Promise<string[]> => {
      const { status, body } = await send(rookery.url, 'GET', '/api/v1/timelines/home', { token });
      expect(status).to.equal(200);
      return (body as { id: string }[]).map(({ id }) => id);
    };

    it('accepts sign-ups, follows and posts, and shows them on the home timeline', async () => {
      ({ token: alice } = await signUp(rookery.url, settings['DATA_DIR'] ?? '', `alice_${run}`));
      ({ token: bob } = await signUp(rookery.url, settings['DATA_DIR'] ?? '', `bob_${run}`));
      const { body: account } = await send(rookery.url, 'GET', '/api/v1/accounts/verify_credentials', {
        token: bob,
      });
      const followed = await send(rookery.url, 'POST', `/api/v1/accounts/${account.id as string}/follow`, {
        token: alice,
      });
      expect(followed.body.following).to.equal(true);
      const made = await post(bob, 'over gRPC #esdb', 'first');
      expect(made.status).to.equal(200);
      // The author's read waits for the read models, so the follower's read afterwards sees the post too.
      expect(await home(bob)).to.deep.equal([made.body.id]);
      expect(await home(alice)).to.deep.equal([made.body.id]);
      expect((await post(bob, 'over gRPC #esdb', 'first')).body.id).to.equal(made.body.id);
    });

    it('stores many simultaneous posts in order', async () => {
      const made = await Promise.all(
        Array.from({ length: 30 }, (_, n) => post(bob, `post ${n}`, `many-${n}`)),
      );
      expect(made.map(({ status }) => status)).to.deep.equal(made.map(() => 200));
      const newest = made
        .map(({ body }) => body.id as string)
        .sort()
        .reverse();
      expect(await home(bob)).to.deep.equal(newest.slice(0, 20));
      expect(await home(alice)).to.deep.equal(newest.slice(0, 20));
    });

    it('streams events to listeners, and replays those that a listener missed', async () => {
      const events = await openEvents(rookery.url, '/user', alice, { Accept: 'text/event-stream' });
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1) ids.push((await post(bob, `live ${n}`, `live-${n}`)).body.id as string);
      const heard = [await events.next(), await events.next(), await events.next()];
      events.close();
      expect(heard.map(({ data }) => (JSON.parse(data) as { id: string }).id)).to.deep.equal(ids);
      const again = await openEvents(rookery.url, '/user', alice, { 'Last-Event-ID': heard[0]?.id ?? '' });
      const rest = [await again.next(), await again.next()];
      again.close();
      expect(rest.map(({ data, id }) => [(JSON.parse(data) as { id: string }).id, id])).to.deep.equal(
        heard.slice(1).map(({ id }, index) => [ids[index + 1], id]),
      );
      const nowhere = String(BigInt(heard[0]?.id ?? 0) + 1n);
      const lost = await openEvents(rookery.url, '/user', alice, { 'Last-Event-ID': nowhere });
      expect((await lost.next()).event).to.equal('resync');
      lost.close();
    });

    it('has the same timeline after a restart', async () => {
      const before = await home(alice);
      expect(await rookery.end()).to.deep.equal({ code: 0, signal: null });
      rookery = await startRookery(settings);
      expect(await home(alice)).to.deep.equal(before);
    });

    it('answers 503 while the log is unavailable, recovers, and stores a retried post once', async function () {
      if (!double) this.skip();
      double.loseNextAnswer();
      const lost = await post(bob, 'was it stored?', 'lost');
      await double.lost();
      expect(lost.status).to.be.oneOf([200, 503]);
      // Reads do not need the log.
      expect((await send(rookery.url, 'GET', '/api/v1/timelines/public')).status).to.equal(200);
      await double.restart();
      let retried = await post(bob, 'was it stored?', 'lost');
      while (retried.status === 503) retried = await post(bob, 'was it stored?', 'lost');
      expect(retried.status).to.equal(200);
      const { body } = await send(rookery.url, 'GET', '/api/v1/timelines/home?limit=40', { token: bob });
      const texts = (body as { content: string }[]).map(({ content }) => content);
      expect(texts.filter((content) => content.includes('was it stored?'))).to.have.length(1);
    });

    it('writes one line to its log about a stream in which another program writes', async function () {
      if (!double) this.skip();
      foreignEvents(double, 3, 'account-123');
      expect((await post(bob, 'beside account-123', 'beside')).status).to.equal(200);
      await eventually(() => expect(rookery.output()).to.include('account-123'));
      foreignEvents(double, 3, 'account-123');
      expect((await post(bob, 'still beside it', 'still')).status).to.equal(200);
      expect(await home(bob)).to.have.length(20);
      expect(rookery.output().match(/account-123/g)).to.deep.equal(['account-123']);
      expect((await healthOf(rookery.url)).status).to.equal(200);
    });

    it('skips the events of other programs in the same store, also at its end', async function () {
      if (!double) this.skip();
      foreignEvents(double, 40);
      await post(bob, 'between foreign events', 'between');
      foreignEvents(double, 40);
      expect((await post(bob, 'after foreign events', 'after')).status).to.equal(200);
      foreignEvents(double, 40);
      const { body } = await send(rookery.url, 'GET', '/api/v1/timelines/home?limit=2', { token: bob });
      expect((body as { content: string }[]).map(({ content }) => content)).to.deep.equal([
        '<p>after foreign events</p>',
        '<p>between foreign events</p>',
      ]);
      double.log.scavenge('order-1');
      expect((await healthOf(rookery.url)).body).to.deep.equal({ status: 'UP' });
      const checkpoint = await inTurn(['log', 'verify'], settings);
      expect(checkpoint, checkpoint.stderr).to.include({ code: 0 });
    });

    it('leaves read models equal to a rebuild', async () => {
      expect(await differences(settings)).to.deep.equal([]);
    });
  },
);

function foreignEvents({ log }: EventStoreDbDouble, count: number, stream = 'order-1'): void {
  const none = new Uint8Array();
  for (let n = 0; n < count; n += 1) {
    const event = {
      id: crypto.randomUUID(),
      type: 'OrderPlaced',
      contentType: 'application/json',
      metadata: none,
    };
    const data = new TextEncoder().encode('{"order":1}');
    log.append(stream, (log.stream(stream)?.length ?? 0) - 1, [{ ...event, data }]);
  }
}
