import { expect } from 'chai';
import { delivered } from '../federation/remote-server.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { exported, importFor } from './scene.ts';

/** Starts a server that other servers can reach under its own domain. */
async function reachable(): Promise<TestServer & { host: string }> {
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const server = await startTestServer({
    PORT: String(port),
    LOCAL_DOMAIN: host,
    WEB_DOMAIN: host,
    LOCAL_HTTPS: 'false',
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
  });
  return { ...server, host };
}

describe('Lists moved from one server to another', function () {
  this.timeout(120_000);
  let old: Awaited<ReturnType<typeof reachable>>;
  let other: Awaited<ReturnType<typeof reachable>>;
  let before_: TestUser;
  let after_: TestUser;

  before(async () => {
    old = await reachable();
    other = await reachable();
    before_ = await old.user('maria');
    after_ = await other.user('maria2');
  });
  after(() => Promise.all([old.close(), other.close()]));

  const post = async (server: TestServer, user: TestUser, path: string, body: object = {}) => {
    const answer = await server.call('POST', path, { token: user.token, body });
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).to.equal(200);
    return answer.body as { id: string };
  };
  const people = (names: string[]): Promise<TestUser[]> =>
    names.reduce(
      async (made, name) => [...(await made), await old.user(name)],
      Promise.resolve<TestUser[]>([]),
    );
  const sorted = (csv: string): string[] => csv.split('\r\n').sort();

  it('are the same there: follows with their settings, lists, blocks, mutes, domain blocks and bookmarks', async () => {
    const [ada, bob, cyn, dan, eve] = (await people(['ada', 'bob', 'cyn', 'dan', 'eve'])) as [
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
    ];
    await post(old, before_, `/api/v1/accounts/${ada.id}/follow`, {
      reblogs: false,
      notify: true,
      languages: ['en', 'de'],
    });
    await post(old, before_, `/api/v1/accounts/${bob.id}/follow`);
    await post(old, before_, `/api/v1/accounts/${cyn.id}/block`);
    await post(old, before_, `/api/v1/accounts/${dan.id}/mute`, { notifications: false });
    await post(old, before_, `/api/v1/accounts/${eve.id}/mute`);
    await post(old, before_, '/api/v1/domain_blocks', { domain: 'bad.example' });
    for (const [title, ...members] of [
      ['Old, "new"', ada, bob],
      ['=SUM(A1)', bob],
    ] as const) {
      const { id } = await post(old, before_, '/api/v1/lists', { title });
      await post(old, before_, `/api/v1/lists/${id}/accounts`, {
        account_ids: members.map((member) => member.id),
      });
    }
    const status = await post(old, ada, '/api/v1/statuses', { status: 'Worth keeping' });
    await post(old, before_, `/api/v1/statuses/${status.id}/bookmark`);
    await old.waitUntilIdle();

    // Lists come before follows: a list import requests to follow its members, and a requested account can be in a list.
    const types = ['lists', 'following', 'blocks', 'mutes', 'domain-blocks', 'bookmarks'] as const;
    for (const type of types) {
      const csv = await exported(old.app, before_.id, type);
      const { failed, done } = await importFor(other.app, after_.id, type, csv);
      expect(failed, type).to.deep.equal([]);
      expect(done, type).to.be.greaterThan(0);
    }
    await eventually(async () => {
      await delivered(other);
      await delivered(old);
      await other.waitUntilIdle();
      const [here, there] = await Promise.all([
        exported(old.app, before_.id, 'following'),
        exported(other.app, after_.id, 'following'),
      ]);
      expect(sorted(there)).to.deep.equal(sorted(here));
    });
    for (const type of types) {
      const [here, there] = await Promise.all([
        exported(old.app, before_.id, type),
        exported(other.app, after_.id, type),
      ]);
      expect(sorted(there), type).to.deep.equal(sorted(here));
    }
    expect(await exported(old.app, before_.id, 'following')).to.equal(
      'Account address,Show boosts,Notify on new posts,Languages\r\n' +
        `bob@${old.host},true,false,\r\nada@${old.host},false,true,"en, de"\r\n`,
    );
    expect(await exported(old.app, ada.id, 'followers')).to.have.string(`maria@${old.host}\r\n`);
    expect(await exported(old.app, ada.id, 'followers')).to.have.string(`maria2@${other.host}\r\n`);
  });

  it('are unchanged by a second import', async () => {
    const events = await other.app.log.head();
    const csv = await exported(old.app, before_.id, 'lists');
    await importFor(other.app, after_.id, 'lists', csv, true);
    await importFor(other.app, after_.id, 'blocks', await exported(old.app, before_.id, 'blocks'), true);
    expect(await other.app.log.head()).to.equal(events);
  });
});
