import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { maintenanceTask } from '#events/audit.ts';
import { inTurn, type Result } from '../support/command-line.ts';
import { carriedOut } from '../support/inbox.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import { still } from '../support/pictures.ts';
import { letAccept, letFollow } from '../support/remote.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { uploadForm } from '../support/uploads.ts';

const LOOPBACK = { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' };
const LONG_AGO = '2020-01-02T03:04:05Z';

describe('Maintenance on the command line', function () {
  this.timeout(90_000);
  let server: TestServer;
  let peer: Peer;
  let alice: TestUser;
  let bob: TestUser;

  before(async function () {
    this.timeout(120_000);
    [server, peer] = await Promise.all([startTestServer(LOOPBACK), startPeer()]);
    alice = await server.user('alice');
    bob = await server.user('bob');
  });
  after(() => Promise.all([server.close(), peer.close()]));

  const rookery = ({ config }: TestServer['app'], args: string[]): Promise<Result> =>
    inTurn(args, {
      ...LOOPBACK,
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.database.url,
      LOCAL_DOMAIN: config.site.localDomain,
      WEB_DOMAIN: config.site.webDomain,
    });
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await rookery(server.app, [...args]);
    expect(code, `${args.join(' ')}: ${stderr}`).to.equal(0);
    await carriedOut(server);
    return stdout;
  };
  const resolve = (query: string) => server.app.contextDependencies.services.resolver.resolve(query);
  const accountOf = async (name: string, changes = {}): Promise<string> => {
    const found = await resolve(peer.actor(name, changes));
    return found?.account ?? expect.fail(`${name} was not found`);
  };
  const postOf = async (name: string, id: string, changes = {}): Promise<string> => {
    const found = await resolve(peer.note(name, id, { published: LONG_AGO, ...changes }));
    return found?.status ?? expect.fail(`${id} was not found`);
  };
  const statusOf = async (path: string): Promise<number> =>
    (await server.call('GET', path, { token: alice.token })).status;
  const expectVerified = async (): Promise<void> => {
    await run('projections', 'verify', '--quiet');
  };

  describe('statuses remove', () => {
    let kept: string[];
    let old: string;
    before(async () => {
      await accountOf('carol');
      await accountOf('dave');
      const favourite = await postOf('carol', 'favourite');
      await server.call('POST', `/api/v1/statuses/${favourite}/favourite`, { token: alice.token });
      const followed = await postOf('dave', 'followed');
      const dave = await accountOf('dave');
      await letFollow(server.app, bob.id, dave);
      await letAccept(server.app, dave, bob.id);
      const recent = await postOf('carol', 'recent', { published: new Date().toISOString() });
      kept = [favourite, followed, recent];
      old = await postOf('carol', 'old', { tag: [{ type: 'Hashtag', name: '#rooks' }] });
      await postOf('carol', 'reply', { inReplyTo: `${peer.origin}/notes/old` });
    });

    it('counts with --dry-run, and removes nothing', async () => {
      const before = await server.app.log.head();
      expect(await run('statuses', 'remove', '--days', '30', '--dry-run')).to.match(
        /^Would change \d+ posts/,
      );
      expect(await server.app.log.head()).to.equal(before);
      expect(await statusOf(`/api/v1/statuses/${old}`)).to.equal(200);
    });

    it('removes posts that nothing here refers to, with their rows', async () => {
      expect(await run('statuses', 'remove', '--days', '30')).to.match(/^Removed \d posts, skipped 0/);
      await run('statuses', 'remove', '--days', '30');
      expect(await statusOf(`/api/v1/statuses/${old}`)).to.equal(404);
      for (const id of kept) expect(await statusOf(`/api/v1/statuses/${id}`), id).to.equal(200);
      expect(await server.app.db.query('select 1 from statuses where id = $1', [old])).to.deep.equal([]);
      await expectVerified();
    });

    it('lets a removed post come again as a new one', async () => {
      const again = await postOf('carol', 'old');
      expect(again).not.to.equal(old);
      expect(await statusOf(`/api/v1/statuses/${again}`)).to.equal(200);
      await expectVerified();
    });

    it('removes posts of followed accounts too with --clean-followed', async () => {
      await run('statuses', 'remove', '--days', '30', '--clean-followed');
      expect(await statusOf(`/api/v1/statuses/${kept[1]}`)).to.equal(404);
      expect(await statusOf(`/api/v1/statuses/${kept[0]}`)).to.equal(200);
    });

    it('is recorded once in the audit log', async () => {
      const audit = await run('audit', 'export', '--action', 'server.maintenance_done');
      const [entry] = audit
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { changes: { after: unknown }[] });
      expect(entry?.changes.map(({ after }) => after)).to.include('statuses_remove');
    });
  });

  describe('accounts of other servers', () => {
    it('are pruned when no user here ever met them, and may come again', async () => {
      const lonely = await accountOf('lonely');
      const met = await accountOf('met');
      await letFollow(server.app, alice.id, met);
      expect(await run('accounts', 'prune', '--dry-run')).to.match(/^Would change \d+ accounts/);
      expect(await run('accounts', 'prune')).to.match(/^Removed \d+ accounts/);
      expect(await statusOf(`/api/v1/accounts/${lonely}`)).to.equal(404);
      expect(await statusOf(`/api/v1/accounts/${met}`)).to.equal(200);
      await expectVerified();
      const again = await accountOf('lonely');
      expect(again).not.to.equal(lonely);
      expect(await statusOf(`/api/v1/accounts/${again}`)).to.equal(200);
      await expectVerified();
    });

    it('are culled when their server does not have them any more', async () => {
      const id = await accountOf('leaving');
      await letFollow(server.app, alice.id, id);
      // A job that fetched the actor after it is gone would remove the account by itself.
      await carriedOut(server);
      peer.put('/users/leaving', (_req, res) => void res.sendStatus(410));
      const uri = new URL(peer.actor('leaving'));
      peer.put(uri.pathname, (_req, res) => void res.sendStatus(410));
      expect(await run('accounts', 'cull', peer.host)).to.match(/^Removed 1 accounts/);
      expect(await statusOf(`/api/v1/accounts/${id}`)).to.equal(404);
      await expectVerified();
    });

    it('are fetched anew', async () => {
      const id = await accountOf('renamed', { name: 'Before' });
      peer.actor('renamed', { name: 'After' });
      expect(await run('accounts', 'refresh', `renamed@${peer.host}`)).to.equal(
        'Refreshed 1, skipped 0, failed 0\n',
      );
      const { body } = await server.call('GET', `/api/v1/accounts/${id}`, { token: alice.token });
      expect(body.display_name).to.equal('After');
      const unknown = await rookery(server.app, ['accounts', 'refresh', `nobody@${peer.host}`]);
      expect([unknown.code, unknown.stderr]).to.deep.equal([1, `nobody@${peer.host}: is not known here\n`]);
    });

    it('are asked what their servers run', async () => {
      peer.put('/.well-known/nodeinfo', {
        links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${peer.origin}/nodeinfo` }],
      });
      peer.put('/nodeinfo', {
        software: { name: 'rook', version: '1.2' },
        usage: { users: { total: 3, activeMonth: 2 }, localPosts: 9 },
      });
      const crawled = await run('domains', 'crawl');
      expect(crawled).to.match(/rook +1\.2 +3 +2 +9$/m);
      expect(crawled).to.match(/1 servers, 0 of them did not answer/);
      expect(await run('domains', 'crawl', '--summary')).to.match(/^rook +1$/m);
    });
  });

  describe('follows', () => {
    const following = async (): Promise<number> => {
      const { body } = await server.call('GET', `/api/v1/accounts/${alice.id}`, { token: alice.token });
      return body.following_count as number;
    };

    it('are made and ended for all users, and ended for one account', async () => {
      const celebrity = await server.user('celebrity');
      expect(await run('accounts', 'follow', 'celebrity')).to.match(/^Followed by \d+ users, skipped 1/);
      const [row] = await server.app.db.query<{ count: number }>(
        'select count(*)::int as count from follows where target_account_id = $1',
        [celebrity.id],
      );
      expect(row?.count).to.be.greaterThan(1);
      const before = await following();
      await run('accounts', 'unfollow', 'celebrity');
      expect(await following()).to.equal(before - 1);
      await run('accounts', 'reset-relationships', 'alice', '--follows');
      expect(await following()).to.equal(0);
      const wrong = await rookery(server.app, ['accounts', 'reset-relationships', 'alice']);
      expect(wrong.code).to.equal(64);
      await expectVerified();
    });
  });

  describe('media', () => {
    it('is fetched anew from other servers, and removed by age', async () => {
      const picture = await still('teal');
      peer.put('/face.png', (_req, res) => void res.type('image/png').send(picture), 'image/png');
      await accountOf('pictured', { icon: { type: 'Image', url: `${peer.origin}/face.png` } });
      expect(await run('media', 'refresh', `pictured@${peer.host}`)).to.match(/^Fetched 1 files, failed 0/);
      expect(await run('media', 'remove', '--days', '7')).to.match(/^Removed 0 files/);
      await server.app.db.query(`update durable.media_cache set seen_at = now() - interval '8 days'`);
      expect(await run('preview-cards', 'remove', '--days', '1')).to.match(/^Removed 0 pictures/);
      expect(await run('media', 'remove', '--days', '7', '--profiles')).to.match(
        /^Removed [12] files, .*B$/m,
      );
      expect(await run('media', 'usage')).to.match(/^all +0 +0 +0 B$/m);
    });

    it('is removed from the folder when nothing refers to it', async () => {
      const body = uploadForm(await still('red'), {}, { type: 'image/png' });
      await server.call('POST', '/api/v2/media', { token: alice.token, body });
      await carriedOut(server);
      const folder = join(server.app.config.dataDir, 'media');
      const key = `ab/cd/abcd${'0'.repeat(60)}.png`;
      const path = join(folder, key);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'x'.repeat(2_000));
      const files = async (): Promise<string[]> =>
        (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.png'));
      const before = await files();
      expect(await run('media', 'remove-orphans')).to.match(/^Removed 0 files/);
      const long = new Date(Date.now() - 3 * 86_400_000);
      for (const name of before) await utimes(join(folder, name), long, long);
      expect(await run('media', 'remove-orphans', '--dry-run')).to.match(/^Would remove 1 files, 2\.0 kB/);
      expect(await run('media', 'remove-orphans')).to.match(/^Removed 1 files, 2\.0 kB/);
      expect(await files()).to.deep.equal(before.filter((name) => name !== key));
    });
  });

  describe('lists', () => {
    it('show accounts by what they are, and one account', async () => {
      await run('accounts', 'modify', 'bob', '--role', 'Moderator');
      expect(await run('accounts', 'list', '--role', 'Moderator')).to.match(
        /^\d+ +bob +.*Moderator +active/m,
      );
      expect(await run('accounts', 'list', '--domain', peer.host)).to.include(`renamed@${peer.host}`);
      expect(await run('accounts', 'search', 'ALIC')).to.match(/ alice /);
      const shown = await run('accounts', 'show', `renamed@${peer.host}`);
      expect(shown)
        .to.match(/^acct +renamed@/m)
        .and.match(/^display name +After$/m);
      expect(JSON.parse(await run('accounts', 'show', 'bob', '--json'))).to.include({ acct: 'bob' });
    });

    it('are summed up in one word by the doctor', async () => {
      await run('log', 'checkpoint');
      await run('log', 'verify');
      expect(await run('doctor'))
        .to.match(/^state +(OK|WARNING)$/m)
        .and.match(/^tokens +none was changed in the database$/m);
      await server.app.db.query(`update durable.access_tokens set scopes = scopes || ' admin:write'`);
      const changed = await rookery(server.app, ['doctor']);
      expect(changed.code).to.equal(2);
      expect(changed.stdout)
        .to.match(/^state +ALTERED$/m)
        .and.match(/^tokens +altered: \d+ were changed/m);
      await server.app.db.query(
        `update durable.access_tokens set scopes = replace(scopes, ' admin:write', '')`,
      );
    });
  });

  describe('at the end', () => {
    it('removes everything of a server', async () => {
      const purged = await run('domains', 'purge', peer.host);
      expect(purged).to.match(/^Removed \d+ accounts/);
      const [row] = await server.app.db.query<{ count: number }>(
        'select count(*)::int as count from accounts where domain = $1',
        [peer.host],
      );
      expect(row?.count).to.equal(0);
      await expectVerified();
    });

    it('has one entry in the audit log for each run that changed anything', async () => {
      const audit = await run('audit', 'export', '--action', 'server.maintenance_done');
      const tasks = audit
        .trim()
        .split('\n')
        .flatMap((line) => (JSON.parse(line) as { changes: { field: string; after: unknown }[] }).changes)
        .flatMap(({ field, after }) => (field === 'task' ? [after] : []));
      // Builds of the past are made on pages and by the API.
      const onCommandLine = maintenanceTask.options.filter((task) => !task.startsWith('as_of_'));
      expect(tasks).to.include.members(onCommandLine);
    });

    it('erases all accounts and closes registrations, with the domain as confirmation', async () => {
      const refused = await rookery(server.app, ['self-destruct']);
      expect(refused.code).to.equal(64);
      expect(refused.stderr).to.match(/^Nothing was erased: say --yes-erase /);
      const done = await run('self-destruct', '--yes-erase', server.app.config.site.localDomain);
      expect(done).to.match(/^Erased [1-9]\d* accounts\./);
      expect(await statusOf('/api/v1/accounts/verify_credentials')).to.equal(401);
      await expectVerified();
    });
  });
});
