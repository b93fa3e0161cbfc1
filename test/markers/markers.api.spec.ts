import { expect } from 'chai';
import type { Marker } from '#mastodon/schemas/index.ts';
import { type Answer, describeTown, type Person } from '../support/people.ts';

type Markers = Partial<Record<'home' | 'notifications', Marker>>;

describeTown('Markers over the API', (town) => {
  let alice: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  const save = (body: object, who = alice): Promise<Answer<Markers>> =>
    who.post<Markers>('/api/v1/markers', body);
  const read = async (query = 'timeline[]=home&timeline[]=notifications', who = alice): Promise<Markers> =>
    (await who.get<Markers>(`/api/v1/markers?${query}`)).json;

  it('are absent before they are set', async () => {
    expect(await read()).to.deep.equal({});
    expect((await save({})).json).to.deep.equal({});
    expect(await read()).to.deep.equal({});
  });

  it('are set one by one or together, and count their versions', async () => {
    const first = await save({ home: { last_read_id: '103194548672408537' } });
    expect(first.status, JSON.stringify(first.json)).to.equal(200);
    expect(first.json).to.have.all.keys('home');
    expect(first.json.home).to.include({ last_read_id: '103194548672408537', version: 1 });
    const second = await save({ home: { last_read_id: '5' }, notifications: { last_read_id: 7 } });
    expect(second.json.home).to.include({ last_read_id: '5', version: 2 });
    expect(second.json.notifications).to.include({ last_read_id: '7', version: 1 });
    expect(await read()).to.deep.equal(second.json);
  });

  it('are accepted from forms', async () => {
    const form = new URLSearchParams({ 'home[last_read_id]': '9' });
    const { status, json } = await save(form);
    expect(status).to.equal(200);
    expect(json.home).to.include({ last_read_id: '9', version: 3 });
  });

  it('refuse a blank position, and then change nothing', async () => {
    const before = await read();
    for (const blank of ['', null]) {
      for (const body of [
        { home: { last_read_id: blank } },
        { home: { last_read_id: '11' }, notifications: { last_read_id: blank } },
      ]) {
        const { status, json } = await save(body);
        expect([status, json]).to.deep.equal([422, { error: "Validation failed: Last read can't be blank" }]);
      }
    }
    expect((await save(new URLSearchParams({ 'home[last_read_id]': '' }))).status).to.equal(422);
    expect(await read()).to.deep.equal(before);
  });

  it('are returned for the requested timelines, to their owner only', async () => {
    expect(await read('timeline[]=home')).to.have.all.keys('home');
    expect(await read('timeline[]=public&timeline=home')).not.to.have.property('notifications');
    expect(await read('')).to.deep.equal({});
    expect(await read(undefined, bob)).to.deep.equal({});
  });

  it('are set once by equal concurrent requests, none of which is refused', async () => {
    const carol = await town.person('carol');
    const body = { home: { last_read_id: '7' }, notifications: { last_read_id: '8' } };
    const answers = await Promise.all(Array.from({ length: 6 }, () => save(body, carol)));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    for (const { json } of answers) {
      expect([json.home?.last_read_id, json.notifications?.last_read_id]).to.deep.equal(['7', '8']);
    }
  });

  it('refuse one of two devices that set different positions at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => save({ home: { last_read_id: String(100 + n) } }, bob)),
    );
    const saved = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect(saved.length + refused.length).to.equal(8);
    for (const { json } of refused) {
      expect(json).to.deep.equal({ error: 'Conflict during update, please try again' });
    }
    const versions = saved.map(({ json }) => json.home?.version).sort();
    expect(versions).to.deep.equal(saved.map((_, n) => n + 1));
    expect((await read(undefined, bob)).home?.version).to.equal(saved.length);
  });

  it('continue after more than a hundred changes', async function () {
    this.timeout(60_000);
    const { home: before } = await read();
    for (let n = 1; n <= 105; n += 1) {
      expect((await save({ home: { last_read_id: String(n) } })).status, String(n)).to.equal(200);
    }
    expect((await read()).home).to.include({ last_read_id: '105', version: (before?.version ?? 0) + 105 });
    expect((await read()).notifications).to.include({ last_read_id: '7' });
  });

  it('refuse text that is no id', async () => {
    for (const id of ['x', '-1', '9'.repeat(30)]) {
      const { status } = await save({ home: { last_read_id: id } });
      expect(status, JSON.stringify(id)).to.equal(422);
    }
    for (const id of [{}, ['1']]) expect((await save({ home: { last_read_id: id } })).json).to.deep.equal({});
  });

  it('need a token with the right scope', async () => {
    const reader = await alice.withScopes('read');
    expect((await reader.post('/api/v1/markers', { home: { last_read_id: '1' } })).status).to.equal(403);
    const writer = await alice.withScopes('write');
    expect((await writer.get('/api/v1/markers')).status).to.equal(403);
    expect((await town.nobody.get('/api/v1/markers')).status).to.equal(401);
  });
});
