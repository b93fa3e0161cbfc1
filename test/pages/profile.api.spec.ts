import { expect } from 'chai';
import { importEmoji } from '#commands/custom-emojis/index.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, type Person } from '../support/people.ts';
import { moving } from '../support/pictures.ts';
import { remoteAccount } from '../support/remote.ts';
import { shownAt } from '../support/remote-media.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { giveCard, post, reblog, remotePost, upload } from '../timelines/support.ts';
import { open as openPage, type Opened, pathOf } from './support.ts';

const HERE = 'https://rookery.example';
const PICTURE = 'https://far.example/files/1.png';
const AS = { Accept: 'application/activity+json' };

describeTown('The page of a profile', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let far: string;

  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    far = await remoteAccount(town.app, 'far', 'far.example');
  });

  const open = (path: string, headers?: Record<string, string>): Promise<Opened> =>
    openPage(town, path, headers);
  const change = async (who: Person, body: object): Promise<void> => {
    const { status, json } = await who.patch('/api/v1/accounts/update_credentials', body);
    expect(status, JSON.stringify(json)).to.equal(200);
  };

  it('serves browsers, and programs still get the document', async () => {
    const { status, headers, page } = await open('/@alice');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(headers.get('vary')).to.equal('Accept, Cookie, Accept-Encoding');
    expect(headers.get('cache-control')).to.equal('public, max-age=15');
    expect(page.one('h1')?.text).to.contain('@alice@rookery.example');
    for (const Accept of ['*/*', 'text/html']) {
      expect((await open('/@alice', { Accept })).headers.get('content-type')).to.contain('text/html');
    }
    const document = await open('/@alice', AS);
    expect(document.headers.get('content-type')).to.match(/^application\/activity\+json/);
    expect(JSON.parse(document.text)).to.include({ id: `${HERE}/users/alice`, url: `${HERE}/@alice` });
    expect(page.link('alternate', { type: 'application/activity+json' })).to.equal(`${HERE}/users/alice`);
    expect((await open(pathOf((await open('/users/alice')).headers.get('location')!))).status).to.equal(200);
  });

  it('marks every field that contains only an address as the same person, verified or not', async () => {
    const value = 'https://bob.example.org/?a=1&b=2';
    await change(bob, {
      fields_attributes: [
        { name: 'Web', value },
        { name: 'Both', value: `${value} https://other.example` },
        { name: 'About', value: 'see https://other.example' },
        { name: 'Pronouns', value: 'they' },
      ],
    });
    const { page } = await open('/@bob');
    expect(page.all('link', { rel: 'me' }).map(({ attributes }) => attributes['href'])).deep.equal([value]);
  });

  it('runs no scripts, loads nothing from other sites and cannot be framed', async () => {
    const { headers, text, page } = await open('/@alice');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).to.include.members([
      "default-src 'none'",
      "style-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      `img-src 'self' ${HERE} ${HERE}/media/`,
    ]);
    expect(policy).not.to.contain('unsafe');
    expect(text).not.to.match(/<script|style="|\son\w+="/i);
    const sheet = await open(page.link('stylesheet')!);
    expect([sheet.status, sheet.headers.get('content-type')]).to.deep.equal([200, 'text/css; charset=utf-8']);
  });

  it('shows the profile, escaped, with emojis, fields and marks of verified links', async () => {
    await importEmoji(
      town.app.systemContext('spec'),
      { shortcode: 'blobcat', data: await moving('gif'), category: null, visible_in_picker: true },
      { overwrite: false },
    );
    await eventually(() => expect(town.app.instance.emojis.json('blobcat')).to.be.a('string'));
    await change(alice, {
      display_name: 'Alice <b> :blobcat:',
      note: 'I like <rooks> :blobcat: and #crows',
      bot: true,
      locked: true,
      fields_attributes: {
        0: { name: 'Web', value: 'https://alice.example.org/?a=1&b=2' },
        1: { name: 'x', value: 'y' },
      },
    });
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
    await alice.post(`/api/v1/follow_requests/${bob.id}/authorize`);
    await alice.post('/api/v1/featured_tags', { name: 'Crows' });
    const [first, second] = (
      await alice.get<{ fields: { name: string; value: string }[] }>(`/api/v1/accounts/${alice.id}`)
    ).json.fields;
    expect([first?.name, second?.name]).to.deep.equal(['Web', 'x']);
    await town.change(alice, {
      fields: [
        {
          name: 'Web',
          value: 'https://alice.example.org/?a=1&b=2',
          html: first!.value,
          verified_at: '2026-01-02T03:04:05.000Z',
        },
        { name: 'x', value: 'y', html: 'y', verified_at: null },
      ],
    });

    const { text, page } = await open('/@ALICE');
    expect(text).not.to.contain('<b>').and.not.to.contain('<rooks>');
    expect(page.one('h1')?.text).to.contain('Alice <b>');
    const emojis = page.all('img', { class: 'emoji' });
    expect(emojis.length).to.be.at.least(2);
    expect(emojis[0]?.attributes).to.include({ alt: ':blobcat:' });
    expect(emojis[0]?.attributes['src']).to.match(/^https:\/\/rookery\.example\/media\//);
    expect(page.one('title')?.text).to.equal(
      'Alice <b> :blobcat: (@alice@rookery.example) - rookery.example',
    );
    expect(page.all('dt').map((each) => each.text)).to.deep.equal(['Web', 'x']);
    expect(
      page.all('dd').map((each) => each.text.includes('Verified on 2 Jan 2026, 03:04 UTC')),
    ).to.deep.equal([true, false]);
    expect(page.link('me')).to.equal('https://alice.example.org/?a=1&b=2');
    expect(page.all('link', { rel: 'me' })).to.have.length(1);
    expect(
      page.all('a').find(({ attributes }) => attributes['href'] === 'https://alice.example.org/?a=1&b=2')
        ?.attributes['rel'],
    ).to.contain('me');
    const marks = page.all('li').map((each) => each.text.trim());
    expect(marks).to.include.members(['Automated', 'Approves followers', '1 follower', '#Crows']);
    expect(page.meta('fediverse:creator')).to.equal('@alice@rookery.example');
    expect(page.meta('og:title')).to.equal('Alice <b> :blobcat:');
    expect(page.meta('og:type')).to.equal('profile');
    expect(page.meta('description')).to.contain('I like <rooks>');
  });

  it('is indexed unless its owner disables that or staff limit the account', async () => {
    const robots = async (): Promise<string | undefined> => (await open('/@bob')).page.meta('robots');
    expect(await robots()).to.equal(undefined);
    await change(bob, { noindex: true });
    expect(await robots()).to.equal('noindex, noarchive');
    await change(bob, { noindex: false });
    expect(await robots()).to.equal(undefined);
    const staff = await town.staff('warden', 'Moderator');
    const act = (path: string, body?: object) => staff.post(`/api/v1/admin/accounts/${bob.id}/${path}`, body);
    await post(bob, 'words of bob');
    expect((await act('action', { type: 'silence' })).status).to.equal(200);
    expect(await robots()).to.equal('noindex, noarchive');
    const { page } = await open('/@bob');
    const [article] = page.all('article');
    expect(article?.inside).to.include('details.veil');
    expect((await act('unsilence')).status).to.equal(200);
    expect((await open('/@bob')).page.one('article')?.inside).not.to.include('details.veil');
  });

  it('shows pinned posts once, then other own posts and boosts, newest first, with replies on a tab of their own', async () => {
    const carol = await town.person('carol');
    const original = await post(bob, 'original of bob');
    const pinned = await post(carol, 'pinned');
    const first = await post(carol, 'first');
    await post(carol, 'unlisted', { visibility: 'unlisted' });
    await post(carol, 'private', { visibility: 'private' });
    await post(carol, 'direct @carol', { visibility: 'direct' });
    await post(carol, 'answer to bob', { in_reply_to_id: original });
    await post(carol, 'to myself', { in_reply_to_id: first });
    await reblog(carol, original);
    await post(carol, 'with a picture', { media_ids: [await upload(carol)] });
    await carol.post(`/api/v1/statuses/${pinned}/pin`);
    const words = [
      'pinned',
      'first',
      'unlisted',
      'private',
      'direct',
      'answer to bob',
      'to myself',
      'original of bob',
      'with a picture',
    ];
    const shown = async (path: string): Promise<(string | undefined)[]> =>
      (await open(path)).page.posts().map((text) => words.find((word) => text.includes(word)));
    expect(await shown('/@carol')).to.deep.equal([
      ...['pinned', 'with a picture', 'original of bob', 'to myself', 'unlisted', 'first'],
    ]);
    expect(await shown('/@carol/with_replies')).to.deep.equal([
      ...['with a picture', 'original of bob', 'to myself', 'answer to bob', 'unlisted', 'first', 'pinned'],
    ]);
    expect(await shown('/@carol/media')).to.deep.equal(['with a picture']);
    const { page } = await open('/@carol/media');
    expect(page.all('a', { 'aria-current': 'page' }).map(({ text }) => text)).to.deep.equal(['Media']);
    expect((await open('/@carol')).page.posts().find((text) => text.includes('original'))).to.match(
      /^carol boosted bob @bob@rookery\.example/,
    );
  });

  it('offers apps to visitors, once', async () => {
    const titles = async (path: string) => (await open(path)).page.all('h2').map(({ text }) => text);
    expect(await titles('/@alice')).to.include('Apps for this server');
    expect(await titles('/@alice/media')).not.to.include('Apps for this server');
  });

  it('links page by page to the oldest post', async () => {
    const dora = await town.person('dora');
    const numbers = Array.from({ length: 45 }, (_, index) => index);
    for (const number of numbers) await post(dora, `number ${number}.`);
    const seen: number[] = [];
    let pages = 0;
    for (let path: string | undefined = '/@dora'; path !== undefined; pages += 1) {
      const { page } = await open(path);
      seen.push(...page.posts().map((text) => Number(/number (\d+)\./.exec(text)?.[1])));
      const next = page.all('a', { rel: 'next' })[0]?.attributes['href'];
      path = next === undefined ? undefined : pathOf(next);
    }
    expect(seen).to.deep.equal(numbers.toReversed());
    expect(pages).to.equal(3);
    for (const place of ['x', '', '01', '99999999999999999999', "1' or 1=1"]) {
      const { status, page } = await open(`/@dora?max_id=${encodeURIComponent(place)}`);
      expect([status, page.posts().length], place).to.deep.equal([200, 20]);
    }
    expect((await open('/@dora?max_id=1')).page.posts()).to.deep.equal([]);
  });

  it('shows posts with a featured hashtag, at the address of the API', async () => {
    await change(bob, { display_name: 'Bob' });
    await post(bob, 'about #Jackdaws');
    await post(bob, 'about nothing');
    await bob.post('/api/v1/featured_tags', { name: 'Jackdaws' });
    const tags = (await bob.get<{ url: string }[]>(`/api/v1/accounts/${bob.id}/featured_tags`)).json;
    const { page } = await open(pathOf(tags[0]!.url));
    expect(page.posts()).to.have.length(1);
    expect(page.posts()[0]).to.contain('about #Jackdaws');
    expect((await open('/@bob/tagged/-')).status).to.equal(404);
  });

  it('needs as many statements for many posts as for one', async () => {
    const eve = await town.person('eve');
    const statements = async (path: string): Promise<number> => {
      await open(path);
      await town.waitUntilIdle();
      const asked = await statementsOfRequests(town.app.db, async () => {
        expect((await open(path)).status).to.equal(200);
      });
      return asked.length;
    };
    const one = await post(eve, 'one #jays', { media_ids: [await upload(eve)] });
    const of = async (): Promise<number[]> => [
      await statements('/@eve'),
      await statements('/tags/jays'),
      await statements(`/@eve/${one}`),
      await statements('/@eve.rss'),
    ];
    const before = await of();
    for (let number = 0; number < 15; number += 1) {
      const id = await post(eve, `another #jays @bob ${number}`, {
        poll: { options: ['a', 'b'], expires_in: 3600 },
      });
      await post(bob, `an answer ${number}`, { in_reply_to_id: one });
      await giveCard(town, id, `https://news.example/${number}`);
      if (number < 4) await eve.post(`/api/v1/statuses/${id}/pin`);
    }
    expect(Math.min(...before)).to.be.at.least(1);
    const after = await of();
    for (const [index, count] of after.entries()) expect(count).to.be.at.most(before[index]! + 3);
    expect(Math.max(...after)).to.be.at.most(20);
  });

  it('shows remote posts and pictures, and loads nothing from other servers', async () => {
    const id = await remotePost(town, far, {
      content: '<p>from <strong>afar</strong></p>',
      spoiler_text: '',
      media: [
        {
          id: '1',
          type: 'image',
          file: PICTURE,
          preview: PICTURE,
          remote_url: PICTURE,
          meta: null,
          description: 'A far picture',
          blurhash: null,
        },
      ],
    });
    const gail = await town.person('gail');
    await reblog(gail, id);
    const { page } = await open('/@gail');
    expect(page.posts()[0]).to.contain('from afar');
    const sources = page.all('img').map(({ attributes }) => attributes['src']);
    expect(sources).to.include(shownAt(HERE, 'attachments', PICTURE, 'small'));
    expect(sources.every((src) => src?.startsWith(`${HERE}/`))).to.equal(true);
  });
});
