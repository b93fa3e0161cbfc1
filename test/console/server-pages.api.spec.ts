import { expect } from 'chai';
import { serverPages } from '#interfaces/web/admin/server-pages.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { csrfOf, eventsOf, makeThings } from './server-support.ts';
import { statementsOfPage } from './support.ts';

const MOST_STATEMENTS = 6;
/** Forms that only look something up or show what would happen, for which no field is enough. */
const MODERATOR_MAY = (path: string): boolean => path.startsWith('/admin/trends');
const isPage = ({ path }: WebPage): boolean => !path.startsWith('/web/');

describe('The pages of the server in the console', function () {
  this.timeout(120_000);
  let server: TestServer;
  let boss: Browser;
  let moderator: Browser;
  let alice: Browser;
  let owner: TestUser;
  /** The address of each page, with the ids of things that are there. */
  let addresses: ReadonlyMap<string, string>;

  before(async () => {
    server = await startTestServer();
    owner = await server.user('boss', { role: 'Owner', scopes: ['read', 'admin:read', 'admin:write'] });
    await server.user('moderator', { role: 'Moderator' });
    await server.user('alice');
    boss = await signedIn(server, 'boss');
    moderator = await signedIn(server, 'moderator');
    alice = await signedIn(server, 'alice');
    addresses = await makeThings(server, owner, serverPages);
  });
  after(() => server.close());

  for (const { path } of serverPages.filter(isPage)) {
    it(`opens ${path} by six statements at most`, async () => {
      const address = addresses.get(path) ?? path;
      const answer = await boss.open(address);
      const remedy = `${alertOf(answer)} makeThings of server-support.ts has an example for each id`;
      expect(answer.status, remedy).to.equal(200);
      expect(headingOf(answer)).not.to.equal(undefined);
      const statements = await statementsOfPage(server.app.db, () => boss.open(address));
      expect(statements.length, statements.join(' ')).to.be.at.most(MOST_STATEMENTS);
    });

    it(`is not there for users without a role: ${path}`, async () => {
      expect((await alice.open(addresses.get(path) ?? path)).status).to.equal(404);
    });

    it(`is closed to roles without its permission: ${path}`, async () => {
      const { status } = await moderator.open(addresses.get(path) ?? path);
      expect(status).to.equal(MODERATOR_MAY(path) ? 200 : 403);
    });
  }

  for (const page of serverPages.filter(({ submit }) => submit !== undefined)) {
    const { path } = page;
    it(`refuses forms of ${path} from elsewhere, and of users without the right`, async () => {
      const before = await eventsOf(server);
      const address = addresses.get(path) ?? path;
      const elsewhere = await boss.post(address, { step: 'confirm', text: 'Eggs' });
      expect(elsewhere.status).to.equal(403);
      const fields = { csrf_token: await csrfOf(alice), step: 'confirm', text: 'Eggs' };
      expect((await alice.post(address, fields)).status).to.be.oneOf([403, 404]);
      if (!MODERATOR_MAY(path) && isPage(page)) {
        const theirs = { ...fields, csrf_token: await csrfOf(moderator) };
        expect((await moderator.post(address, theirs)).status).to.equal(403);
      }
      expect(await eventsOf(server)).to.equal(before);
    });
  }

  it('answers ids of nothing with 404, and changes nothing', async () => {
    const before = await eventsOf(server);
    for (const { path } of serverPages.filter((page) => isPage(page) && page.path.includes(':'))) {
      for (const id of ['1', 'x', '999999999999999999', '-5']) {
        const address = path
          .replace(':id', id)
          .replace(':name', 'nothing')
          .replace(':role', '1')
          .replace(':language', 'de');
        // The rule 1 is there.
        if (path.startsWith('/admin/rules') && id === '1') continue;
        expect((await boss.open(address)).status, address).to.equal(404);
      }
    }
    expect(await eventsOf(server)).to.equal(before);
  });

  it('shows what a list has nothing of, with filters that exclude all', async () => {
    for (const address of [
      '/admin/domain_blocks?domain=zzz',
      '/admin/custom_emojis?shortcode=zzz&category=zzz&status=none',
      '/admin/announcements?max_id=1',
      '/admin/ip_blocks?max_id=x',
    ]) {
      const answer = await boss.open(address);
      expect(answer.status, address).to.equal(200);
    }
  });

  it('moves a rule by a button, and says so', async () => {
    await boss.open('/admin/rules');
    const answer = await boss.submit('/web/v1/admin/rules/2/move', { place: '1' });
    expect(doneOf(await follow(boss, answer))).to.equal('The rule is changed.');
    const { body } = await server.call('GET', '/api/v1/instance/rules');
    expect((body as { id: string }[]).map(({ id }) => id)).to.deep.equal(['2', '1']);
  });
});
