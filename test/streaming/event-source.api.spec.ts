import { expect } from 'chai';
import { describeTown, type Person } from '../support/people.ts';
import { follow, list, post } from '../timelines/support.ts';
import { type EventSource, openEvents, type ServerSentEvent } from './support.ts';

describeTown('Streams of server-sent events', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  const opened: EventSource[] = [];

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    await follow(bob, alice);
    await town.waitUntilIdle();
  });
  afterEach(() => {
    for (const events of opened.splice(0)) events.close();
  });

  const open = async (
    path: string,
    person = bob,
    headers: Record<string, string> = {},
  ): Promise<EventSource> => {
    const events = await openEvents(town.url, path, person.token, headers);
    opened.push(events);
    return events;
  };
  /** Identifies an event, without the counters that change meanwhile. */
  const markOf = (event: ServerSentEvent): string => `${event.event} ${idOf(event)} ${event.id}`;
  const idOf = ({ data }: ServerSentEvent): string => (JSON.parse(data) as { id: string }).id;

  it('report their health publicly', async () => {
    const { response } = await openEvents(town.url, '/health');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/plain');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(response.headers.get('access-control-expose-headers')).to.be.a('string');
  });

  it('refuse an address without a channel as an unknown channel', async () => {
    const at = (method: string, path: string) => fetch(`${town.url}/api/v1/streaming${path}`, { method });
    for (const path of ['', '/', '?access_token=x']) {
      const refused = await at('GET', path);
      expect(refused.status, path).to.equal(400);
      expect(await refused.json(), path).to.deep.equal({ error: 'Unknown channel requested' });
      expect((await at('HEAD', path)).status, path).to.equal(400);
    }
    expect((await at('HEAD', '/health')).status).to.equal(200);
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await at(method, '')).status).to.equal(404);
  });

  it('are open to web clients of any origin, and not cached', async () => {
    const { response } = await open('/public');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(response.headers.get('cache-control')).to.equal('private, no-store');
    const preflight = await fetch(`${town.url}/api/v1/streaming/public`, { method: 'OPTIONS' });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get('access-control-allow-headers')).to.contain('Authorization');
  });

  it('have all paths, and refuse others', async () => {
    const listId = await list(bob, {}, [alice]);
    const paths = ['/user', '/user/notification', '/public', '/public/local', '/public/remote', '/direct'];
    for (const path of [
      ...paths,
      '/hashtag?tag=a',
      '/hashtag/local?tag=a',
      `/list?list=${listId}`,
      '/user/',
    ]) {
      expect((await open(path)).response.status, path).to.equal(200);
    }
    const refused = async (path: string) => {
      const { response } = await openEvents(town.url, path, bob.token);
      return [
        response.status,
        (await openEvents(town.url, path, bob.token)).response.headers.get('content-type'),
      ];
    };
    for (const path of ['/nothing', '/public/media', '/user/x']) {
      expect(await refused(path), path).to.deep.equal([400, 'application/json; charset=utf-8']);
    }
    for (const path of ['/hashtag', '/hashtag?tag=', '/list']) expect((await refused(path))[0]).to.equal(400);
    expect((await refused('/list?list=1'))[0]).to.equal(401);
    const posted = await fetch(`${town.url}/api/v1/streaming/user`, { method: 'POST' });
    expect(posted.status).to.equal(404);
  });

  it('have two lines, as in Mastodon, unless the client asks for ids', async () => {
    const linesOf = async (query: string, headers: Record<string, string>): Promise<string[]> => {
      const response = await fetch(`${town.url}/api/v1/streaming/user${query}`, {
        headers: { Authorization: `Bearer ${bob.token}`, ...headers },
      });
      await post(alice, 'lines');
      let text = '';
      for await (const part of response.body ?? []) {
        text += Buffer.from(part).toString();
        if (text.includes('\n\n')) break;
      }
      return text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith(':'))
        .map((line) => line.split(':', 1)[0] ?? '');
    };
    const head = String(await town.app.log.head());
    expect(await linesOf('', {})).to.deep.equal(['event', 'data']);
    expect(await linesOf('', { Accept: '*/*' })).to.deep.equal(['event', 'data']);
    expect(await linesOf('', { Accept: 'text/event-stream' })).to.deep.equal(['id', 'event', 'data']);
    expect((await linesOf('', { 'Last-Event-ID': head })).slice(0, 3)).to.deep.equal(['id', 'event', 'data']);
  });

  it('send only media if requested', async () => {
    const events = await open('/public?only_media=true');
    const all = await open('/public?only_media=false');
    const id = await post(alice, 'no picture');
    expect(idOf(await all.next())).to.equal(id);
    await alice.delete(`/api/v1/statuses/${id}`);
    expect((await all.next()).event).to.equal('delete');
    expect(events.heard).to.equal(0);
  });

  it('have no payload for changed filters', async () => {
    const events = await open('/user');
    await bob.post('/api/v2/filters', {
      title: 'x',
      context: ['home'],
      keywords_attributes: [{ keyword: 'x' }],
    });
    expect(await events.next()).to.include({ event: 'filters_changed', data: 'undefined' });
  });

  describe('that are cut off', () => {
    it('resume without loss or repetition, wherever they are cut off', async () => {
      const whole = await open('/user', bob, { Accept: 'text/event-stream' });
      const ids: string[] = [];
      for (let n = 0; n < 4; n += 1)
        ids.push(await post(alice, n % 2 === 0 ? `post ${n}` : `@bob post ${n}`));
      const heard: ServerSentEvent[] = [];
      while (heard.length < 6) heard.push(await whole.next());
      const said = heard.map(({ event }) => event);
      expect(said).to.have.members(['update', 'update', 'notification', 'update', 'update', 'notification']);
      const marks = heard.map(markOf);
      for (const [index, { id = '' }] of heard.entries()) {
        for (const again of [
          await open('/user', bob, { 'Last-Event-ID': id }),
          await open(`/user?last_event_id=${id}`),
        ]) {
          const rest: ServerSentEvent[] = [];
          while (rest.length < heard.length - index - 1) rest.push(await again.next());
          expect(rest.map(markOf)).to.deep.equal(marks.slice(index + 1));
        }
      }
      const last = await post(alice, 'one more');
      for (const events of opened) expect(idOf(await events.next())).to.equal(last);
    });

    it('resume while others receive live events', async () => {
      const others = await open('/user');
      const start = (await town.app.log.head()).toString();
      const all: string[] = [];
      const writing = (async () => {
        for (let n = 0; n < 40; n += 1) all.push(await post(alice, `post ${n}`));
      })();
      const seen: string[] = [];
      let place = start;
      while (seen.length < 40) {
        const events = await open('/user', bob, { 'Last-Event-ID': place });
        const event = await events.next();
        events.close();
        seen.push(idOf(event));
        place = event.id ?? '';
      }
      await writing;
      expect(seen).to.deep.equal(all);
      expect(idOf(await others.next())).to.equal(all[0]);
    });

    it('start again when the place is too old or unknown', async () => {
      const head = await town.app.log.head();
      const events = await open('/user', bob, { 'Last-Event-ID': String(head + 1_000n) });
      const resync = await events.next();
      expect(resync).to.deep.equal({ event: 'resync', data: `{"from":"${head}"}`, id: String(head) });
      const id = await post(alice, 'after that');
      expect(idOf(await events.next())).to.equal(id);
      for (const nonsense of ['x', '-1', '1-2', '99999999999999999999', '']) {
        const fresh = await open('/user', bob, { 'Last-Event-ID': nonsense });
        const next = await post(alice, 'from here on');
        expect(idOf(await fresh.next())).to.equal(next);
      }
    });
  });
});
