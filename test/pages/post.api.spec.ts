import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { giveCard, post, reblog, remotePost } from '../timelines/support.ts';
import { open as openPage, type Opened } from './support.ts';

const HERE = 'https://rookery.example';
const AS = { Accept: 'application/activity+json' };

describeTown('The page of a post', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let far: string;

  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice', { indexable: true });
    bob = await town.person('bob');
    far = await remoteAccount(town.app, 'far', 'far.example');
  });

  const open = (path: string, headers?: Record<string, string>): Promise<Opened> =>
    openPage(town, path, headers);
  const pictured = async (who: Person, description: string): Promise<string> => {
    const form = uploadForm(await picture(640, 480), description === '' ? {} : { description });
    return (await who.post<{ id: string }>('/api/v2/media', form)).json.id;
  };

  it('shows author, time, text in its language and counts, with metadata for other sites', async () => {
    const id = await post(
      alice,
      'Hallo <Welt> https://example.org/a-long-path-that-is-cut-somewhere #Krähen',
      { language: 'de' },
    );
    await post(bob, 'an answer', { in_reply_to_id: id });
    await reblog(bob, id);
    await bob.post(`/api/v1/statuses/${id}/favourite`);
    const { status, headers, text, page } = await open(`/@alice/${id}`);
    expect(status).to.equal(200);
    expect(headers.get('vary')).to.equal('Accept, Cookie, Accept-Encoding');
    expect(text).not.to.contain('<Welt>');
    expect(page.one('div', { class: 'content' })?.attributes).to.include({ lang: 'de', dir: 'auto' });
    expect(page.one('div', { class: 'content' })?.text).to.contain('Hallo <Welt>');
    expect(page.one('footer')?.text.replaceAll(/\s+/g, ' ')).to.contain('1 reply · 1 boost · 1 favourite');
    const { json } = await town.nobody.get<Status>(`/api/v1/statuses/${id}`);
    expect(page.one('time')?.attributes['datetime']).to.equal(json.created_at);
    expect(page.all('a').map(({ attributes }) => attributes['href'])).to.include.members([
      `${HERE}/@alice`,
      `${HERE}/@alice/${id}`,
      `${HERE}/tags/Kr%C3%A4hen`,
    ]);
    expect(page.meta('og:type')).to.equal('article');
    expect(page.meta('og:title')).to.equal('alice (@alice@rookery.example)');
    expect(page.meta('og:description')).to.contain('Hallo <Welt>');
    expect(page.meta('og:url')).to.equal(`${HERE}/@alice/${id}`);
    expect(page.meta('twitter:card')).to.equal('summary');
    expect(page.meta('fediverse:creator')).to.equal('@alice@rookery.example');
    expect(page.meta('robots')).to.equal(undefined);
    expect(page.link('canonical')).to.equal(`${HERE}/@alice/${id}`);
    expect(page.link('alternate', { type: 'application/activity+json' })).to.equal(
      `${HERE}/users/alice/statuses/${id}`,
    );
    const oembed = page.link('alternate', { type: 'application/json+oembed' })!;
    expect((await town.nobody.get(oembed.slice(HERE.length))).status).to.equal(200);
    const document = await open(`/@alice/${id}`, AS);
    expect(JSON.parse(document.text)).to.include({ id: `${HERE}/users/alice/statuses/${id}`, type: 'Note' });
  });

  it('shows the edited post, and that it was edited', async () => {
    const id = await post(alice, 'before');
    expect((await open(`/@alice/${id}`)).text).not.to.match(/edited/i);
    expect((await alice.put(`/api/v1/statuses/${id}`, { status: 'after' })).status).to.equal(200);
    const { text, page } = await open(`/@alice/${id}`);
    expect(page.one('span', { class: 'when' })?.text).to.match(/Edited/);
    expect(text).to.contain('after').and.not.to.contain('before</p>');
  });

  it('hides the contents behind a warning, and sensitive media, also in previews', async () => {
    const warned = await post(alice, 'The butler', {
      spoiler_text: 'Ending of a <film>',
      media_ids: [await pictured(alice, 'The knife')],
    });
    const { page } = await open(`/@alice/${warned}`);
    expect(page.one('summary')?.text.trim()).to.equal('Ending of a <film>');
    expect(page.all('details', { class: 'veil' })).to.have.length(1);
    for (const name of ['div', 'img']) {
      const hidden = page.all(name, name === 'div' ? { class: 'content' } : { alt: 'The knife' });
      expect(
        hidden.map(({ inside }) => inside.includes('details.veil')),
        name,
      ).to.deep.equal([true]);
    }
    expect(page.meta('og:description')).to.equal('Ending of a <film>');
    expect(page.meta('og:image')).not.to.contain('/media/');

    const veiled = await post(alice, 'Look', {
      sensitive: true,
      media_ids: [await pictured(alice, 'A wound')],
    });
    const sensitive = await open(`/@alice/${veiled}`);
    expect(sensitive.page.one('summary')?.text.trim()).to.equal('Sensitive media');
    expect(sensitive.page.one('img', { alt: 'A wound' })?.inside).to.include('details.veil');
    expect(sensitive.page.one('div', { class: 'content' })?.inside).not.to.include('details.veil');
    expect(sensitive.page.meta('og:image')).not.to.contain('/media/');
  });

  it('shows media with their descriptions and sizes', async () => {
    const media_ids = [await pictured(alice, 'A rook on a "fence"'), await pictured(alice, '')];
    const { page } = await open(`/@alice/${await post(alice, 'Look', { media_ids })}`);
    const [first, second] = page
      .all('img')
      .filter(({ inside }) => inside.some((each) => each.startsWith('div.media')));
    expect(first?.attributes).to.include({ alt: 'A rook on a "fence"', loading: 'lazy' });
    expect(Number(first?.attributes['width']) / Number(first?.attributes['height'])).to.be.closeTo(
      4 / 3,
      0.01,
    );
    expect(second?.attributes['alt']).to.equal('Picture without a description');
    expect(page.meta('og:image')).to.equal(first?.attributes['src']);
    expect(page.meta('og:image:alt')).to.equal('A rook on a "fence"');
    expect(page.meta('twitter:card')).to.equal('summary_large_image');
  });

  it('shows the state of a poll', async () => {
    const poll = { options: ['Rook & co', 'Crow'], expires_in: 3600 };
    const id = await post(alice, 'Which?', { poll });
    const { json } = await bob.get<Status>(`/api/v1/statuses/${id}`);
    expect((await bob.post(`/api/v1/polls/${json.poll!.id}/votes`, { choices: [0] })).status).to.equal(200);
    const { page } = await open(`/@alice/${id}`);
    expect(
      page.all('progress').map(({ attributes }) => [attributes['aria-label'], attributes['value']]),
    ).to.deep.equal([
      ['Rook & co', '100'],
      ['Crow', '0'],
    ]);
    const hidden = await post(alice, 'Which?', { poll: { ...poll, hide_totals: true } });
    const later = await open(`/@alice/${hidden}`);
    expect(later.page.all('progress')).to.have.length(0);
    expect(later.page.one('div', { class: 'poll' })?.text).to.contain('Rook & co');
  });

  it('shows the card of a link and the quoted post, if these are public', async () => {
    const carded = await post(alice, 'https://news.example/rooks');
    await giveCard(town, carded, 'https://news.example/rooks');
    const card = (await open(`/@alice/${carded}`)).page.one('a', { class: 'card' });
    expect(card?.attributes['href']).to.equal('https://news.example/rooks');
    expect(card?.text).to.contain('A page').and.to.contain('news.example');

    const quoted = await post(bob, 'words of bob');
    const id = await post(alice, 'he said', { quoted_status_id: quoted });
    expect((await open(`/@alice/${id}`)).page.one('blockquote', { class: 'quote' })?.text).to.contain(
      'words of bob',
    );
    await bob.delete(`/api/v1/statuses/${quoted}`);
    const after = await open(`/@alice/${id}`);
    expect(after.text).not.to.contain('words of bob');
    expect(after.page.one('p', { class: 'quote' })?.text).to.match(/quoted post/);
  });

  it('shows the public ancestors and replies of the post', async () => {
    const root = await post(alice, 'the root');
    const id = await post(bob, '@alice in the middle', { in_reply_to_id: root });
    await post(alice, 'answer one', { in_reply_to_id: id });
    await post(alice, 'answer for followers', { in_reply_to_id: id, visibility: 'private' });
    await post(alice, '@bob a whisper', { in_reply_to_id: id, visibility: 'direct' });
    await remotePost(town, far, {
      content: '<p>answer from afar</p>',
      in_reply_to_id: id,
      in_reply_to_account_id: bob.id,
      url: 'javascript:alert(1)',
    });
    const { page, text } = await open(`/@bob/${id}`);
    const words = ['the root', 'in the middle', 'answer one', 'answer from afar'];
    expect(page.posts().map((post) => words.find((word) => post.includes(word)))).to.deep.equal(words);
    expect(text)
      .not.to.contain('followers</p>')
      .and.not.to.contain('whisper')
      .and.not.to.contain('javascript:');
    expect(page.all('article').map(({ attributes }) => attributes['class'])).to.deep.equal([
      ...['post above', 'post focused', 'post reply d1', 'post reply d1'],
    ]);
    expect(page.all('h1')).to.have.length(1);
  });

  it('is missing for posts that are not public, like for unknown ones', async () => {
    const hidden = [
      await post(alice, 'For followers', { visibility: 'private' }),
      await post(alice, '@bob for you', { visibility: 'direct' }),
      await post(bob, 'Not of alice'),
    ];
    const removed = await post(alice, 'For followers, once', { visibility: 'private' });
    await alice.delete(`/api/v1/statuses/${removed}`);
    const answer = async (id: string): Promise<unknown> => {
      const { status, headers, text } = await open(`/@alice/${id}`);
      return [status, text, [...headers].filter(([name]) => name !== 'date')];
    };
    const absent = await answer('100000000000000000');
    expect((absent as unknown[])[0]).to.equal(404);
    for (const id of [
      ...hidden,
      removed,
      '0',
      '-1',
      'x',
      '01',
      '9223372036854775807',
      '99999999999999999999',
    ]) {
      expect(await answer(id), id).to.deep.equal(absent);
    }
    expect((await open(`/@alice/${hidden[0]}`)).headers.get('cache-control')).to.equal('no-store');
    // The page is the same for the token's owner: pages ignore tokens.
    const signed = await open(`/@alice/${hidden[0]}`, { Authorization: `Bearer ${alice.token}` });
    expect(signed.status).to.equal(404);
  });

  it('is gone for a deleted post, and redirects for a reblog', async () => {
    const id = await post(alice, 'Not for long');
    await alice.delete(`/api/v1/statuses/${id}`);
    const gone = await open(`/@alice/${id}`);
    expect([gone.status, gone.page.one('h1')?.text]).to.deep.equal([410, 'Gone']);

    const original = await post(alice, 'Worth telling');
    const boost = await open(`/@bob/${await reblog(bob, original)}`);
    expect([boost.status, boost.headers.get('location')]).to.deep.equal([302, `${HERE}/@alice/${original}`]);
    const afar = await remotePost(town, far, {});
    const there = await open(`/@bob/${await reblog(bob, afar)}`);
    expect(there.headers.get('location')).to.equal(`https://far.example/posts/${afar}`);
  });

  it("is hidden from search engines for unlisted posts and by the author's setting", async () => {
    const id = await post(alice, 'Quietly', { visibility: 'unlisted' });
    const { status, page } = await open(`/@alice/${id}`);
    expect([status, page.meta('robots')]).to.deep.equal([200, 'noindex, noarchive']);
    const ofBob = await post(bob, 'Not for engines');
    expect((await open(`/@bob/${ofBob}`)).page.meta('robots')).to.equal(undefined);
    await town.change(bob, { noindex: true });
    expect((await open(`/@bob/${ofBob}`)).page.meta('robots')).to.equal('noindex, noarchive');
  });
});
