import { expect } from 'chai';
import { createStreamingAPIClient } from 'masto';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { listen, openEvents } from './support.ts';

describe('Streams and their process', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
  });

  const post = async (status: string, more = {}): Promise<string> => {
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status, ...more },
    });
    return (body as { id: string }).id;
  };
  const metrics = async (name: string): Promise<string[]> => {
    const { body } = await server.call('GET', '/metrics');
    return (body as string).split('\n').filter((line) => line.startsWith(name));
  };
  /** Counts how often the log is followed from now on. */
  const subscriptions = (): { begun: number; open: number } => {
    const { log } = server.app;
    const original = log.subscribeAll.bind(log);
    const count = { begun: 0, open: 0 };
    log.subscribeAll = async function* (after, options) {
      count.begun += 1;
      count.open += 1;
      try {
        yield* original(after, options);
      } finally {
        count.open -= 1;
      }
    };
    return count;
  };

  it('read the log once, from the first client to the last', async () => {
    const count = subscriptions();
    await post('nobody listens');
    expect(count).to.deep.equal({ begun: 0, open: 0 });
    const first = await listen(server.url, alice.token, 'user');
    const second = await openEvents(server.url, '/public', alice.token);
    const id = await post('two listen');
    expect((await first.next()).payload).to.include({ id });
    expect(JSON.parse((await second.next()).data)).to.include({ id });
    expect(count).to.deep.equal({ begun: 1, open: 1 });
    first.socket.close();
    second.close();
    await eventually(() => expect(count.open).to.equal(0));
    const again = await listen(server.url, alice.token, 'user');
    const other = await post('heard again');
    expect((await again.next()).payload).to.include({ id: other });
    expect(count).to.deep.equal({ begun: 2, open: 1 });
    again.socket.close();
  });

  it('need the same number of statements for many subscribers and posts', async () => {
    const people: TestUser[] = [];
    for (let n = 0; n < 8; n += 1) people.push(await server.user(`reader${n}`));
    const { db } = server.app;
    const original = db.query.bind(db);
    const statementsFor = async (listeners: number): Promise<string[]> => {
      const open = await Promise.all(
        people.slice(0, listeners).map(({ token }) => listen(server.url, token, 'public')),
      );
      await server.waitUntilIdle();
      const statements: string[] = [];
      db.query = (statement, values) => {
        statements.push(typeof statement === 'string' ? statement : statement.name);
        return original(statement, values);
      };
      await post(`for ${listeners}`);
      for (const listener of open) await listener.next();
      // Reactors read as well, and concurrent reads have no order.
      await server.waitUntilIdle();
      db.query = original;
      for (const { socket } of open) socket.close();
      return statements
        .filter((name) => /^(audience|statuses|notifications|conversations)_/.test(name))
        .sort();
    };
    const forOne = await statementsFor(1);
    expect(forOne).to.include('audience_public');
    expect(await statementsFor(8)).to.deep.equal(forOne);
  });

  it('look up no hashtags for a post without them, and once for clients of one user', async () => {
    const { db } = server.app;
    const original = db.query.bind(db);
    const open = await Promise.all(
      Array.from({ length: 5 }, () => listen(server.url, alice.token, 'hashtag', { tag: 'rook' })),
    );
    const more = await listen(server.url, alice.token, 'public');
    for (let n = 0; n < 50; n += 1) await more.asked({ type: 'subscribe', stream: 'hashtag', tag: `t${n}` });
    const asked: unknown[][] = [];
    db.query = (statement, values) => {
      if (typeof statement !== 'string' && statement.name === 'audience_tag') asked.push([...(values ?? [])]);
      return original(statement, values);
    };
    await post('no tag');
    await more.next();
    expect(asked).to.deep.equal([]);
    const id = await post('#rook #t7');
    for (const listener of open) expect((await listener.next()).payload).to.include({ id });
    expect((await more.until(({ stream }) => stream?.[1] === 't7')).at(-1)?.payload).to.include({ id });
    db.query = original;
    expect(asked).to.have.length(1);
    expect(asked[0]?.[4]).to.deep.equal(['["rook"]', '["t7"]']);
    for (const { socket } of [...open, more]) socket.close();
  });

  it('refuse more channels than one user may have', async () => {
    const bob = await server.user('bob');
    const listeners = [];
    for (let socket = 0; socket < 3; socket += 1) {
      const listener = await listen(server.url, bob.token);
      for (let n = 0; n < (socket < 2 ? 100 : 50); n += 1) {
        await listener.asked({ type: 'subscribe', stream: 'hashtag', tag: `t${n}` });
      }
      listeners.push(listener);
    }
    const [, , last] = listeners;
    last?.send({ type: 'subscribe', stream: 'user' });
    expect(await last?.answers.next()).to.deep.equal({ error: 'Too many channels', status: 429 });
    const events = await openEvents(server.url, '/public', bob.token);
    expect(events.response.status).to.equal(429);
    await last?.asked({ type: 'unsubscribe', stream: 'hashtag', tag: 't1' });
    await last?.asked({ type: 'subscribe', stream: 'user' });
    for (const { socket } of listeners) socket.close();
    await eventually(async () => {
      const again = await openEvents(server.url, '/public', bob.token);
      again.close();
      expect(again.response.status).to.equal(200);
    });
  });

  it('are counted by the metrics', async () => {
    const listener = await listen(server.url, alice.token, 'user');
    const events = await openEvents(server.url, '/hashtag?tag=one', alice.token);
    await post('#one');
    await Promise.all([listener.next(), events.next()]);
    await eventually(async () => {
      expect(await metrics('connected_clients{')).to.have.members([
        'connected_clients{type="websocket"} 1',
        'connected_clients{type="eventsource"} 1',
      ]);
    });
    expect(await metrics('connected_channels{')).to.have.members([
      'connected_channels{type="websocket",channel="user"} 1',
      'connected_channels{type="eventsource",channel="hashtag"} 1',
    ]);
    const [sent = ''] = await metrics('messages_sent_total{type="eventsource"}');
    expect(Number(sent.split(' ')[1])).to.be.greaterThan(1);
    listener.socket.close();
    events.close();
  });

  it('make clients reconnect when events cannot be looked up', async () => {
    const { db } = server.app;
    const original = db.query.bind(db);
    const listener = await listen(server.url, alice.token, 'user');
    const events = await openEvents(server.url, '/user', alice.token);
    const before = await server.app.log.head();
    db.query = (statement, values) =>
      typeof statement !== 'string' && statement.name.startsWith('audience_')
        ? Promise.reject(new Error('The database is away'))
        : original(statement, values);
    const id = await post('not lost');
    expect(await listener.closed).to.equal(1012);
    await events.next().catch((error: unknown) => expect(String(error)).to.contain('ended'));
    db.query = original;
    const again = await openEvents(server.url, `/user?last_event_id=${before}`, alice.token);
    expect(JSON.parse((await again.next()).data)).to.include({ id });
    again.close();
  });

  it('serve the client of the package masto', async () => {
    const client = createStreamingAPIClient({
      streamingApiUrl: server.url.replace('http', 'ws'),
      accessToken: alice.token,
      implementation: WebSocket,
    });
    const heard = (async () => {
      for await (const { event, payload, stream } of client.user.subscribe()) {
        return { event, stream, payload };
      }
      return undefined;
    })();
    // The library does not report when it listens. Earlier clients have left by then.
    await eventually(async () =>
      expect(await metrics('connected_channels{')).to.deep.equal([
        'connected_channels{type="websocket",channel="user"} 1',
      ]),
    );
    const id = await post('for masto');
    const message = await heard;
    expect(message).to.include({ event: 'update' });
    expect(message?.payload).to.include({ id });
    client.close();
  });

  it('end when the server stops', async () => {
    const listener = await listen(server.url, alice.token, 'user');
    const events = await openEvents(server.url, '/user', alice.token);
    await server.close();
    expect(await listener.closed).to.equal(1001);
    const failure: unknown = await events.next().catch((error: unknown) => error);
    expect(String(failure)).to.contain('The stream ended');
  });
});
