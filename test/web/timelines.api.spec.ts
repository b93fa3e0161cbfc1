import { expect } from 'chai';
import { changeSettings } from '#commands/instance/index.ts';
import { signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { follow, post } from '../timelines/support.ts';

const MAX_HOME = 60_000;
const MAX_POST = 2_200;

describeTown('The timelines of the web client', function (town) {
  this.timeout(120_000);
  let alice: Person;
  let bob: Person;
  let browser: Browser;
  const pageOf = (answer: Answer) => load(answer.body as string);
  const postsOf = (answer: Answer): string[] => pageOf(answer).posts();
  const open = async (path: string): Promise<Answer> => {
    await town.waitUntilIdle();
    return browser.open(path);
  };
  const stranger = async (path: string): Promise<Answer> => {
    await town.waitUntilIdle();
    return town.server.call('GET', path, { headers: { Accept: 'text/html' } });
  };

  before(async () => {
    [alice, bob] = await Promise.all([town.person('alice'), town.person('bob')]);
    await follow(alice, bob);
    browser = await signedIn(town.server, 'alice');
  });

  it('offer a way out of an empty home', async () => {
    const page = pageOf(await open('/home'));
    expect(page.one('a', { href: '/explore/suggestions' })?.text).to.contain('Find people to follow');
  });

  it('show the public posts to strangers too, by where they come from', async () => {
    await post(bob, 'For everybody');
    await post(bob, 'For followers', { visibility: 'private' });
    for (const path of ['/public', '/public/local']) {
      const [text, ...more] = postsOf(await stranger(path));
      expect([text?.includes('For everybody'), more], path).to.deep.equal([true, []]);
    }
    expect((await stranger('/public/remote')).body).to.contain('No posts of other servers');
    const { body } = await open('/public/local');
    const page = load(body as string);
    expect(page.all('a', { 'aria-current': 'page' }).map(({ attributes }) => attributes['href'])).to.include(
      '/public/local',
    );
    expect(body).to.contain('data-stream="public:local"');
  });

  it('lead strangers to the sign-in page where the public timelines are closed', async () => {
    const preview = (timeline_preview: boolean) =>
      changeSettings(town.app.systemContext('spec'), { timeline_preview });
    await preview(false);
    const { status, headers } = await stranger('/public/local?max_id=12');
    expect([status, headers.get('location')]).to.deep.equal([
      303,
      `/auth/sign_in?return_to=${encodeURIComponent('/public/local?max_id=12')}`,
    ]);
    expect((await open('/public/local')).status).to.equal(200);
    await preview(true);
  });

  it('show favourites and bookmarks, the latest first', async () => {
    expect((await open('/favourites')).body).to.contain('You have no favourites yet');
    expect((await open('/bookmarks')).body).to.contain('You have no bookmarks yet');
    const ids = [await post(bob, 'the first'), await post(bob, 'the second')];
    for (const id of ids) {
      await ok(alice.post(`/api/v1/statuses/${id}/favourite`));
      await ok(alice.post(`/api/v1/statuses/${id}/bookmark`));
    }
    for (const path of ['/favourites', '/bookmarks']) {
      const texts = postsOf(await open(path));
      expect(texts.map((text) => /the (first|second)/.exec(text)?.[1])).to.deep.equal(['second', 'first']);
    }
    expect((await stranger('/bookmarks')).status).to.equal(303);
  });

  it('follow and feature a hashtag, and say how much it is used', async () => {
    await post(bob, 'A #Rook');
    const before = await open('/tags/rook');
    expect(before.body).to.contain('1 person in the past 2 days');
    expect(postsOf(before)).to.have.length(1);
    for (const act of ['follow', 'feature']) {
      const { status, headers } = await browser.press(`/web/v1/tags/rook/${act}`);
      expect([status, headers.get('location')]).to.deep.equal([303, '/tags/rook']);
      await open('/tags/rook');
    }
    const after = pageOf(await open('/tags/rook'));
    for (const text of ['Unfollow hashtag', 'Do not feature on profile']) {
      expect(after.all('button').map((button) => button.text.trim())).to.include(text);
    }
    expect(await ok(alice.get('/api/v1/tags/rook'))).to.include({ following: true, featuring: true });
  });

  it('leave the feed of a hashtag to feed readers, and know no hashtag without letters', async () => {
    const { headers } = await open('/tags/rook.rss');
    expect(headers.get('content-type')).to.match(/rss/);
    const { status, body } = await open('/tags/-');
    expect(status).to.equal(404);
    expect(load(body as string).one('nav', { 'aria-label': 'Main' }), 'navigation').not.to.equal(undefined);
  });

  it('hide, cover and blur what filters match there, but never own posts', async () => {
    const filter = (word: string, filter_action: string, context: string[]) =>
      ok(
        alice.post('/api/v2/filters', {
          title: `About ${word}`,
          filter_action,
          context,
          keywords_attributes: [{ keyword: word, whole_word: true }],
        }),
      );
    await filter('hidden', 'hide', ['public']);
    await filter('covered', 'warn', ['public', 'home']);
    await filter('elsewhere', 'hide', ['notifications']);
    for (const word of ['hidden', 'covered', 'elsewhere']) await post(bob, `${word} from bob`);
    await post(alice, 'hidden from alice');
    const answer = await open('/public/local');
    const texts = postsOf(answer).join('\n');
    expect(texts).not.to.contain('hidden from bob');
    expect(texts).to.contain('hidden from alice').and.to.contain('elsewhere from bob');
    const covered = pageOf(answer)
      .all('div', { class: 'content' })
      .find(({ text }) => text.includes('covered'));
    expect(covered?.inside).to.include('details.veil');
    expect(texts).to.contain('Filtered: About covered');
    expect(postsOf(await open('/home')).join('\n')).to.contain('hidden from bob');
  });

  it('lay out posts from right to left, and handles from left to right', async () => {
    await post(bob, 'صباح الخير', { language: 'ar' });
    const page = pageOf(await open('/home'));
    const content = page.all('div', { class: 'content' }).find(({ text }) => text.includes('صباح'));
    expect(content?.attributes).to.include({ dir: 'auto', lang: 'ar' });
    expect(page.one('span', { class: 'handle' })?.attributes['dir']).to.equal('ltr');
  });

  it('read the older posts by links, and ignore a place that is none', async () => {
    for (let n = 0; n < 25; n += 1) await post(bob, `number ${n}`);
    const first = await open('/home?max_id=not-an-id');
    expect(postsOf(first)).to.have.length(20);
    const next = pageOf(first).one('a', { rel: 'next' })?.attributes['href'] ?? '';
    expect(next).to.match(/^\/home\?max_id=\d+$/);
    const second = await open(next);
    expect(postsOf(second)[0]).to.contain('number 4');
    expect(pageOf(second).one('a', { href: '/home' })).not.to.equal(undefined);
    expect((await open('/home?max_id=1')).body).to.contain('There are no older posts.');
  });

  it('stay small', async () => {
    const { body } = await open('/home');
    const text = body as string;
    expect(Buffer.byteLength(text)).to.be.below(MAX_HOME);
    const articles = text.match(/<article.*?<\/article>/gs) ?? [];
    expect(articles).to.have.length(20);
    for (const article of articles) expect(Buffer.byteLength(article)).to.be.below(MAX_POST);
  });

  it('need the same number of statements for few posts as for many', async () => {
    const count = async (path: string): Promise<string[]> => {
      await open(path);
      await town.waitUntilIdle();
      return (await statementsOfRequests(town.app.db, () => browser.open(path))).toSorted();
    };
    const root = await post(bob, 'a thread');
    const reply = async (n: number): Promise<void> => {
      for (let each = 0; each < n; each += 1) {
        const id = await post(alice, `reply #few ${each}`, { in_reply_to_id: root, visibility: 'public' });
        await ok(alice.post(`/api/v1/statuses/${id}/favourite`));
        await ok(alice.post(`/api/v1/statuses/${id}/bookmark`));
      }
      await town.waitUntilIdle();
    };
    const paths = [
      '/favourites',
      '/bookmarks',
      '/tags/few',
      `/@bob/${root}`,
      '/search?q=%23few&type=statuses',
    ];
    await reply(5);
    const few: string[][] = [];
    for (const path of paths) few.push(await count(path));
    await reply(15);
    for (const [index, path] of paths.entries()) expect(await count(path), path).to.deep.equal(few[index]);
  });

  it('send a stranger back to a page after signing in', async () => {
    const { headers } = await stranger('/favourites');
    expect(headers.get('location')).to.equal('/auth/sign_in?return_to=%2Ffavourites');
    const answer = await browser.open('/web/v1/tags/rook/follow');
    expect(locationOf(answer)).to.equal('/home');
  });
});
