import { expect } from 'chai';
import { rank } from '#reactors/rankings.ts';
import { signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { giveCard, post } from '../timelines/support.ts';

describeTown('Search and explore in the web client', function (town) {
  this.timeout(120_000);
  let alice: Person;
  let fans: Person[];
  let browser: Browser;
  const open = async (path: string): Promise<Answer> => {
    await town.waitUntilIdle();
    return browser.open(path);
  };
  const stranger = async (path: string): Promise<Answer> => {
    await town.waitUntilIdle();
    return town.server.call('GET', path, { headers: { Accept: 'text/html' } });
  };
  const pageOf = ({ body }: Answer) => load(body as string);

  before(async () => {
    alice = await town.person('alice', { discoverable: true });
    fans = await Promise.all(
      ['bob', 'carol', 'dan', 'erin', 'finn', 'gina'].map((name) =>
        town.person(name, { discoverable: true }),
      ),
    );
    browser = await signedIn(town.server, 'alice');
  });

  it('explain what can be searched for, until something is', async () => {
    expect((await open('/search')).body)
      .to.contain('from:alice')
      .and.to.contain('What you can search for');
    expect((await stranger('/search')).body)
      .to.contain('#rooks')
      .and.not.to.contain('from:alice');
    expect((await open('/search?q=%20')).body).to.contain('What you can search for');
  });

  it('find people, hashtags and posts, together and by kind', async () => {
    await post(alice, 'My #caws, a word of crows');
    const all = pageOf(await open('/search?q=caws'));
    expect(all.all('h2').map(({ text }) => text)).to.include.members(['Hashtags', 'Posts']);
    expect(all.one('input', { name: 'q', value: 'caws' }), 'the recent text').not.to.equal(undefined);
    const people = pageOf(await open('/search?q=carol&type=accounts'));
    expect(people.one('a', { href: '/@carol' })).not.to.equal(undefined);
    expect(people.all('article')).to.have.length(0);
    const posts = pageOf(await open('/search?q=crows&type=statuses'));
    expect(posts.posts()).to.have.length(1);
    expect(posts.one('a', { 'aria-current': 'page', href: '/search?q=crows&type=statuses' })?.text).to.equal(
      'Posts',
    );
  });

  it('give strangers what the API gives them, and no further pages', async () => {
    const { status, body } = await stranger('/search?q=carol&type=accounts&offset=20');
    expect(status).to.equal(200);
    expect(body).to.contain('@carol@rookery.example');
    expect((await stranger('/search?q=crows')).body).to.contain('Sign in to find posts');
  });

  it('say that nothing was found, or that a search cannot be understood, and keep it', async () => {
    expect((await open('/search?q=nothing-like-this')).body).to.contain('Nothing was found.');
    expect((await open('/search?q=from:nobody')).body).to.contain('Nothing was found.');
    const { status, body } = await open('/search?q=colour:black');
    expect(status).to.equal(422);
    expect(body).to.contain('Unsupported prefix: colour').and.to.contain('value="colour:black"');
    expect((await open(`/search?q=${'long'.repeat(1_000)}`)).status).to.equal(200);
    expect((await open('/search?q=<b>&type=unknown')).body).to.contain('value="&#60;b&#62;"');
  });

  it('explore posts, hashtags and news that trend, also for strangers', async () => {
    for (const path of ['/explore', '/explore/tags', '/explore/links']) {
      expect((await stranger(path)).body, path).to.match(/trending right now|by many people right now/);
    }
    const reviewer = await town.staff('reviewer', 'Moderator');
    const liked = await post(alice, 'Liked by all');
    for (const fan of fans) {
      await ok(fan.post(`/api/v1/statuses/${liked}/favourite`));
      await ok(fan.post(`/api/v1/statuses/${liked}/reblog`));
      await post(fan, `${fan.username} about #magpies`);
      await giveCard(town, await post(fan, 'Read this'), 'https://news.example/rooks');
    }
    await town.waitUntilIdle();
    const system = town.app.systemContext('spec');
    await rank(system, 'tags');
    await rank(system, 'statuses');
    await rank(system, 'links');
    for (const kind of ['tags', 'statuses', 'links']) {
      const waiting = await ok(reviewer.get<{ id: string }[]>(`/api/v1/admin/trends/${kind}`));
      for (const { id } of waiting) await ok(reviewer.post(`/api/v1/admin/trends/${kind}/${id}/approve`));
    }
    expect(
      pageOf(await stranger('/explore'))
        .posts()
        .join(),
    ).to.contain('Liked by all');
    expect((await stranger('/explore/tags')).body)
      .to.contain('#magpies')
      .and.to.contain('6 people in the past 2 days');
    const news = await stranger('/explore/links');
    expect(news.body).to.contain('https://news.example/rooks');
    expect((await stranger('/explore/links/posts?url=https://unknown.example/')).status).to.equal(404);
    const about = await stranger('/explore/links/posts?url=https://news.example/rooks');
    expect(pageOf(about).posts()).to.have.length(fans.length);
    expect(pageOf(await open('/explore?offset=40')).one('a', { href: '/explore' })).not.to.equal(undefined);
  });

  it('suggest people to users, and forget who is hidden', async () => {
    expect((await stranger('/explore/suggestions')).status).to.equal(303);
    expect((await stranger('/explore')).body).not.to.contain('/explore/suggestions');
    const [friend] = fans as [Person];
    const id = await post(friend, 'A post that alice likes');
    await ok(alice.post(`/api/v1/statuses/${id}/favourite`));
    const before = await open('/explore/suggestions');
    const hide = `/web/v1/suggestions/${friend.id}/delete`;
    expect(pageOf(before).one('button', { formaction: hide }), 'suggested').not.to.equal(undefined);
    expect(before.body).to.contain(`/web/v1/accounts/${friend.id}/follow`);
    expect((await browser.press(hide)).status).to.equal(303);
    expect((await open('/explore/suggestions')).body).not.to.contain(hide);
  });
});
