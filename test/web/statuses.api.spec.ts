import { expect } from 'chai';
import { signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import type { Answer } from '../support/server.ts';
import { post, reblog, remotePost } from '../timelines/support.ts';

describeTown('Posts in the web client', function (town) {
  this.timeout(120_000);
  let alice: Person;
  let bob: Person;
  let browser: Browser;
  const open = async (path: string): Promise<Answer> => {
    await town.waitUntilIdle();
    return browser.open(path);
  };
  const pageOf = ({ body }: Answer) => load(body as string);

  before(async () => {
    [alice, bob] = await Promise.all([town.person('alice'), town.person('bob')]);
    browser = await signedIn(town.server, 'alice');
  });

  describe('with their thread', () => {
    it('stand between ancestors and replies, each below the post that it answers', async () => {
      const root = await post(bob, 'the root');
      const main = await post(alice, 'the middle', { in_reply_to_id: root });
      const first = await post(bob, 'first reply', { in_reply_to_id: main });
      await post(bob, 'second reply', { in_reply_to_id: main });
      await post(alice, 'below the first', { in_reply_to_id: first });
      const answer = await open(`/@alice/${main}`);
      const page = pageOf(answer);
      const places = page
        .all('article')
        .map(({ attributes, text }) => [
          attributes['class'],
          /the root|the middle|first reply|second reply|below the first/.exec(text)?.[0],
        ]);
      expect(places).to.deep.equal([
        ['post above', 'the root'],
        ['post focused', 'the middle'],
        ['post reply d1', 'first reply'],
        ['post reply d2', 'below the first'],
        ['post reply d1', 'second reply'],
      ]);
      expect(page.one('a', { href: `/publish?in_reply_to_id=${main}` })).not.to.equal(undefined);
      expect(page.all('h1')).to.have.length(1);
    });

    it('are at one address: others redirect to it', async () => {
      const id = await post(bob, 'boosted');
      const boost = await reblog(alice, id);
      const paths = {
        [`/@alice/${id}`]: `/@bob/${id}`,
        [`/@alice/${boost}`]: `/@bob/${id}`,
        [`/@nobody/${id}/actions`]: `/@bob/${id}/actions`,
        [`/@alice/${id}/favourites`]: `/@bob/${id}/favourites`,
        [`/@alice/${id}?translate=1`]: `/@bob/${id}?translate=1`,
      };
      for (const [path, now] of Object.entries(paths))
        expect(locationOf(await open(path)), path).to.equal(now);
      for (const path of [`/@bob/${id}`, `/@Bob@rookery.example/${id}`]) {
        expect((await open(path)).status, path).to.equal(200);
      }
    });

    it('are read here too when they are of another server', async () => {
      const far = await remoteAccount(town.app, 'far', 'far.example');
      const id = await remotePost(town, far, { content: '<p>from afar</p>' });
      const { status, body } = await open(`/@far@far.example/${id}`);
      expect(status).to.equal(200);
      expect(body).to.contain('from afar');
      expect((await open(`/@far@far.example/${id}/actions`)).body)
        .to.contain('Open original page at far.example')
        .and.not.to.contain('Embed on a website');
      expect(locationOf(await open(`/@far/${id}`))).to.equal(`/@far@far.example/${id}`);
    });

    it('are missing when they are unknown, private or deleted; pages of strangers stay public', async () => {
      const secret = await post(bob, '@bob psst', { visibility: 'direct' });
      const gone = await post(bob, 'gone');
      const reply = await post(alice, 'an orphan', { in_reply_to_id: gone });
      await ok(bob.delete(`/api/v1/statuses/${gone}`));
      for (const id of ['1', secret, gone]) {
        for (const rest of ['', '/actions', '/favourites', '/reblogs', '/quotes', '/revoke_quote']) {
          expect((await open(`/@bob/${id}${rest}`)).status, `${id}${rest}`).to.equal(404);
        }
      }
      const orphan = await open(`/@alice/${reply}`);
      expect(orphan.status).to.equal(200);
      expect(pageOf(orphan).posts()).to.have.length(1);
      const outside = await town.server.call('GET', `/@alice/${reply}`, { headers: { Accept: 'text/html' } });
      expect(outside.headers.get('cache-control')).to.match(/public/);
      const document = await town.server.call('GET', `/@alice/${reply}`, {
        headers: { Accept: 'application/activity+json', Cookie: browser.cookieHeader },
      });
      expect(document.body).to.include({ type: 'Note' });
    });

    it('obey the filters of threads', async () => {
      await ok(
        alice.post('/api/v2/filters', {
          title: 'No spoilers',
          filter_action: 'hide',
          context: ['thread'],
          keywords_attributes: [{ keyword: 'butler', whole_word: true }],
        }),
      );
      const root = await post(bob, 'who was it?');
      await post(bob, 'the butler', { in_reply_to_id: root });
      expect(pageOf(await open(`/@bob/${root}`)).posts()).to.have.length(1);
      const { body } = await open(`/@bob/${await post(bob, 'a butler alone')}`);
      expect(body).to.contain('Filtered: No spoilers');
    });
  });

  it('list who boosted and favourited them', async () => {
    const id = await post(alice, 'liked');
    for (const list of ['favourites', 'reblogs']) {
      expect((await open(`/@alice/${id}/${list}`)).body, list).to.contain('Nobody has');
    }
    await ok(bob.post(`/api/v1/statuses/${id}/favourite`));
    await reblog(bob, id);
    const page = pageOf(await open(`/@alice/${id}`));
    for (const list of ['favourites', 'reblogs']) {
      expect(page.one('a', { href: `/@alice/${id}/${list}` })?.text, list).to.match(/1 (favourite|boost)/);
      expect(pageOf(await open(`/@alice/${id}/${list}`)).one('a', { href: '/@bob' })).not.to.equal(undefined);
    }
  });
});
