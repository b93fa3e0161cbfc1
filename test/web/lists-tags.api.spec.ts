import { expect } from 'chai';
import type { FeaturedTag, Tag } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { callAs, elementsIn, textIn } from './notices-support.ts';

const PATH = '/followed_tags';

describe('The page of followed hashtags', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const as = <Entity>(method: string, path: string): Promise<Entity> =>
    callAs(server, alice)<Entity>(method, path);
  const followed = async (): Promise<string[]> => {
    await server.waitUntilIdle();
    return (await as<Tag[]>('GET', 'v1/followed_tags')).map(({ name }) => name);
  };
  const featured = async (): Promise<string[]> => {
    await server.waitUntilIdle();
    return (await as<FeaturedTag[]>('GET', 'v1/featured_tags')).map(({ name }) => name);
  };
  const send = async (act: 'follow' | 'feature', name: string) => {
    await browser.open(PATH);
    return browser.submit(PATH, { act, name });
  };

  it('follows by a form, with or without the number sign, also twice', async () => {
    expect(textIn(await browser.open(PATH))).to.contain('You follow no hashtags yet.');
    const done = await follow(browser, await send('follow', ' #rooks '));
    expect(doneOf(done)).to.equal('You follow this hashtag now.');
    await send('follow', 'Rooks');
    await send('follow', 'طيور');
    expect(await followed()).to.deep.equal(['طيور', 'rooks']);
    expect(elementsIn(await browser.open(PATH), 'a', { href: '/tags/rooks' })).to.have.length(1);
  });

  for (const name of ['', '  ', '#', '12345', 'two words', '<b>', 'a/b', 'x'.repeat(501), '..']) {
    it(`refuses "${name.slice(0, 12)}" as a hashtag, and shows it again`, async () => {
      for (const act of ['follow', 'feature'] as const) {
        const refused = await send(act, name);
        expect(refused.status).to.equal(422);
        expect(alertOf(refused)).to.contain('letters, digits and underscores');
        const [field] = elementsIn(refused, 'input', { id: `${act}-name` });
        expect(field?.attributes['value']).to.equal(name);
      }
      expect([await followed(), await featured()]).to.deep.equal([['طيور', 'rooks'], []]);
    });
  }

  it('unfollows, also a hashtag in another script, and leads back', async () => {
    await browser.open(PATH);
    const pressed = await browser.press(`/web/v1/tags/${encodeURIComponent('طيور')}/unfollow`);
    expect(locationOf(pressed)).to.equal(PATH);
    expect(await followed()).to.deep.equal(['rooks']);
  });

  it('features on the profile up to ten, and says why the eleventh is refused', async () => {
    await browser.open(PATH);
    await browser.press('/web/v1/tags/rooks/feature');
    for (let index = 1; index < 10; index += 1) {
      expect((await send('feature', `tag${index}`)).status).to.equal(303);
    }
    expect(await featured()).to.have.length(10);
    const full = await browser.open(PATH);
    expect(textIn(full)).to.contain('On your profile: 10 of 10');
    expect(elementsIn(full, 'input', { id: 'feature-name' })).to.have.length(0);
    const refused = await browser.submit(PATH, { act: 'feature', name: 'tag10' });
    expect(refused.status).to.equal(422);
    expect(alertOf(refused)).to.be.a('string').and.not.equal('');
    await browser.open(PATH);
    await browser.press('/web/v1/tags/tag9/unfeature');
    expect(await featured()).to.have.length(9);
  });

  it('runs as many statements for 20 hashtags as for 5', async () => {
    const statements = async (count: number): Promise<string[]> => {
      for (let index = (await followed()).length; index < count; index += 1) {
        await as('POST', `v1/tags/many${index}/follow`);
      }
      await server.waitUntilIdle();
      expect(elementsIn(await browser.open(PATH), 'li', { class: 'item' })).to.have.length(count);
      return (await statementsOfRequests(server.app.db, () => browser.open(PATH))).toSorted();
    };
    const few = await statements(5);
    expect(await statements(20)).to.deep.equal(few);
  });
});
