import { expect } from 'chai';
import type { AdminRelay } from '#mastodon/schemas/index.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

const PATH = '/api/v1/admin/relays';

describeTown('Relays over the API', function (town) {
  this.timeout(60_000);
  let admin: Person;
  let moderator: Person;
  let alice: Person;
  let count = 0;
  before(async function () {
    this.timeout(120_000);
    admin = await town.staff('admin', 'Admin');
    moderator = await town.staff('mod', 'Moderator');
    alice = await town.person('alice');
  });

  const inbox = (): string => `https://relay${(count += 1)}.example/inbox`;
  const add = async (body: object = { inbox_url: inbox() }): Promise<AdminRelay> => {
    const { status, json } = await admin.post<AdminRelay>(PATH, body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const act = (id: string, what: string) => admin.post<AdminRelay>(`${PATH}/${id}/${what}`);

  it('are followed when they are added, and are listed', async () => {
    const inbox_url = inbox();
    const first = await add({ inbox_url: ` ${inbox_url} ` });
    expect(first).to.deep.include({ inbox_url, actor_url: null, state: 'pending' });
    expect((await admin.get(`${PATH}/${first.id}`)).json).to.deep.equal(first);
    const actor_url = 'https://litepub.example/actor';
    const second = await add({ inbox_url: inbox(), actor_url });
    expect(second).to.deep.include({ actor_url, state: 'pending' });
    const page = await admin.get<AdminRelay[]>(`${PATH}?limit=1`);
    expect(page.json).to.deep.equal([second]);
    const next = await admin.get<AdminRelay[]>(`${PATH}?${page.links['next']}`);
    expect(next.json[0]).to.deep.equal(first);
  });

  it('are disabled and enabled, each once', async () => {
    const { id } = await add();
    expect((await act(id, 'disable')).json.state).to.equal('idle');
    const before = await town.events();
    expect((await act(id, 'disable')).json.state).to.equal('idle');
    expect(await town.events()).to.equal(before);
    expect((await act(id, 'enable')).json.state).to.equal('pending');
  });

  it('are removed, which frees their address', async () => {
    const relay = await add();
    const { status, json } = await admin.delete(`${PATH}/${relay.id}`);
    expect([status, json]).to.deep.equal([200, {}]);
    for (const refused of [
      await admin.get(`${PATH}/${relay.id}`),
      await admin.delete(`${PATH}/${relay.id}`),
      await act(relay.id, 'enable'),
      await act(relay.id, 'disable'),
    ]) {
      expect([refused.status, refused.json]).to.deep.equal([404, { error: 'Record not found' }]);
    }
    expect((await add({ inbox_url: relay.inbox_url })).id).not.to.equal(relay.id);
  });

  it('refuse an invalid, local or taken address', async () => {
    const { inbox_url } = await add();
    const before = await town.events();
    const said = async (body: object): Promise<unknown[]> => {
      const { status, json } = await admin.post<{ error: string }>(PATH, body);
      return [status, json.error];
    };
    expect(await said({})).to.deep.equal([422, "Validation failed: Inbox url can't be blank"]);
    expect(await said({ inbox_url })).to.deep.equal([
      422,
      'Validation failed: Inbox url has already been taken',
    ]);
    expect(await said({ inbox_url: inbox(), actor_url: 'x' })).to.deep.equal([
      422,
      'Validation failed: Actor url is not a valid URL',
    ]);
    for (const odd of [
      ...[null, ' ', 'x', 'ftp://a.example/', 'https://', 'https://u:p@a.example/inbox'],
      ...[`${town.app.instance.origin}/inbox`, `https://a.example/${'x'.repeat(3_000)}`, 7, ['a'], {}],
    ]) {
      expect((await admin.post(PATH, { inbox_url: odd })).status, JSON.stringify(odd)).to.equal(422);
    }
    expect(await town.events()).to.equal(before);
    for (const id of ['0', 'x', '9'.repeat(30)])
      expect((await admin.get(`${PATH}/${id}`)).status).to.equal(404);
  });

  it('are limited to staff with the permission and the scope', async () => {
    const { id } = await add();
    for (const who of [moderator, alice]) {
      for (const { status, json } of [
        await who.get(PATH),
        await who.get(`${PATH}/${id}`),
        await who.post(PATH, { inbox_url: inbox() }),
        await who.post(`${PATH}/${id}/disable`),
        await who.delete(`${PATH}/${id}`),
      ]) {
        expect([status, Object.keys(json as object)]).to.deep.equal([403, ['error']]);
      }
    }
    const reading = { enough: ['admin:read:domain_allows', 'admin:read'], others: ['read', 'admin:write'] };
    const writing = { enough: ['admin:write:domain_allows', 'admin:write'], others: ['write', 'admin:read'] };
    await expectScope(town, admin, (who) => who.get(PATH), reading);
    await expectScope(town, admin, (who) => who.post(PATH, { inbox_url: inbox() }), writing);
    await expectScope(town, admin, (who) => who.post(`${PATH}/${id}/enable`), writing);
  });

  it('are managed on the command line as well', async () => {
    const run = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await rookeryBeside(town.app, 'relays', ...args);
      return `${stdout}${stderr}`.trim();
    };
    const address = inbox();
    expect(await run('add', address, '--actor', 'https://litepub.example/actor')).to.equal(
      'Added 1, skipped 0, failed 0',
    );
    expect(await run('add', address)).to.include('is there already');
    const line = (await run('list')).split('\n').at(-1) ?? '';
    const [id = '', ...rest] = line.split('\t');
    expect(rest).to.deep.equal(['pending', address, 'https://litepub.example/actor']);
    expect(await run('disable', id)).to.equal('Disabled 1, skipped 0, failed 0');
    expect(await run('enable', id)).to.equal('Enabled 1, skipped 0, failed 0');
    expect(await run('remove', id, 'x'))
      .to.include('x: is no relay')
      .and.to.include('Removed 1, skipped 1');
  });

  it('are limited to fifty, also for concurrent requests', async () => {
    const { json } = await admin.get<AdminRelay[]>(`${PATH}?limit=100`);
    const answers = await Promise.all(
      Array.from({ length: 52 - json.length }, () => admin.post<AdminRelay>(PATH, { inbox_url: inbox() })),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(50 - json.length);
    expect(answers.filter(({ status }) => status === 422)).to.have.length(2);
  });
});
