import { expect } from 'chai';
import { Parser } from 'htmlparser2';
import { describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { post, reblog, remotePost } from '../timelines/support.ts';
import { open as openPage, type Opened } from './support.ts';

const HERE = 'https://rookery.example';

/** The items of a feed: the texts of their elements by name. */
function itemsOf(feed: string): Record<string, string[]>[] {
  const items: Record<string, string[]>[] = [];
  const path: string[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        path.push(name);
        if (name === 'item') items.push({});
        const item = items.at(-1);
        if (item && path.includes('item')) (item[name] ??= []).push(attributes['url'] ?? '');
      },
      ontext(text) {
        const name = path.at(-1) ?? '';
        const texts = path.includes('item') ? items.at(-1)?.[name] : undefined;
        if (texts) texts.push((texts.pop() ?? '') + text);
      },
      onclosetag: () => void path.pop(),
    },
    { xmlMode: true },
  );
  parser.end(feed);
  return items;
}

describeTown('Feeds', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;

  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice', { display_name: 'Alice & <co>', noindex: true });
    bob = await town.person('bob');
  });

  const open = (path: string): Promise<Opened> => openPage(town, path);
  const texts = async (path: string): Promise<string[]> => {
    const { status, text } = await open(path);
    expect(status, path).to.equal(200);
    return itemsOf(text).map(({ description }) => /<p>(.*?)<\/p>$/.exec(description?.[0] ?? '')?.[1] ?? '');
  };

  it("contain an account's own public posts, newest first, without replies and reblogs", async () => {
    const original = await post(bob, 'of bob');
    await post(alice, 'first & <best>');
    await post(alice, 'unlisted', { visibility: 'unlisted' });
    await post(alice, 'private', { visibility: 'private' });
    await post(alice, 'an answer', { in_reply_to_id: original });
    await reblog(alice, original);
    await post(alice, 'second #Rooks');
    const newest = await texts('/@alice.rss');
    expect(newest).to.have.length(3);
    expect(newest[0]).to.contain('second');
    expect(newest.slice(1)).to.deep.equal(['unlisted', 'first &amp; &lt;best&gt;']);
    expect(
      (await texts('/@alice/with_replies.rss')).filter((text) => text.includes('an answer')),
    ).to.have.length(1);
    expect(await texts('/@alice/tagged/rooks.rss')).to.have.length(1);
    expect(await texts('/@alice/media.rss')).to.deep.equal([]);
  });

  it('are well-formed RSS for any text, with the addresses of posts', async () => {
    const { status, headers, text } = await open('/@alice.rss');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/rss+xml; charset=utf-8');
    expect(headers.get('x-robots-tag')).to.equal('noindex');
    expect((await open('/@bob.rss')).headers.get('x-robots-tag')).to.equal(null);
    expect(text).to.match(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<rss version="2\.0"/);
    expect(text).to.contain('<title>Alice &#38; &#60;co&#62;</title>');
    expect(text).to.contain(`<link>${HERE}/@alice</link>`);
    expect(text).to.contain(`href="${HERE}/@alice.rss"`);
    const [newest] = itemsOf(text);
    expect(newest?.['guid']?.[0]).to.match(/^https:\/\/rookery\.example\/@alice\/\d+$/);
    expect(newest?.['link']).to.deep.equal(newest?.['guid']);
    expect(Date.parse(newest?.['pubDate']?.[0] ?? '')).to.be.closeTo(Date.now(), 120_000);
    expect(newest?.['category']).to.deep.equal(['rooks']);
    const { page } = await open('/@alice');
    expect(page.link('alternate', { type: 'application/rss+xml' })).to.equal(`${HERE}/@alice.rss`);
  });

  it('contain media with their descriptions, and content warnings before the text', async () => {
    const form = uploadForm(await picture(64, 64, 'png'), { description: 'A rook & a crow' });
    const { json } = await bob.post<{ id: string }>('/api/v2/media', form);
    await post(bob, 'look', { media_ids: [json.id], spoiler_text: 'A <film>', sensitive: true });
    const [newest] = itemsOf((await open('/@bob/media.rss')).text);
    expect(newest?.['media:content']?.[0]).to.match(/^https:\/\/rookery\.example\/media\//);
    expect(newest?.['media:description']).to.deep.equal(['A rook & a crow']);
    expect(newest?.['media:rating']).to.deep.equal(['adult']);
    expect(newest?.['description']?.[0]).to.match(
      /^<p><strong>Content warning:<\/strong> A &lt;film&gt;<\/p>/,
    );
  });

  it('say the size of files, show moving pictures as pictures, and offer a sound to podcast players', async () => {
    const [newest] = itemsOf((await open('/@bob/media.rss')).text);
    const [address = ''] = newest?.['media:content'] ?? [];
    const file = await fetch(`${town.url}${new URL(address).pathname}`);
    const { text } = await open('/@bob/media.rss');
    expect(text).to.contain(`type="image/png" fileSize="${file.headers.get('content-length')}"`);
    expect(newest?.['media:thumbnail']?.[0]).to.match(/^https:\/\/rookery\.example\/media\//);
    const far = await remoteAccount(town.app, 'sound', 'far.example');
    const of = (id: string, type: 'audio' | 'gifv', file: string) => ({
      id,
      type,
      file,
      preview: null,
      remote_url: file,
      meta: null,
      description: null,
      blurhash: null,
    });
    const media = [
      of('1', 'gifv', 'https://far.example/a.mp4'),
      of('2', 'audio', 'https://far.example/b.mp3'),
    ];
    await remotePost(town, far, { media, tags: [{ name: 'podcast', normal: 'podcast' }] });
    const feed = (await open('/tags/podcast.rss')).text;
    expect(feed).to.match(/<enclosure url="https:\/\/[^"]+" length="0" type="audio\/mpeg"\/>/);
    expect(feed).to.contain('medium="image"');
    expect(feed).to.contain('medium="audio"');
  });

  it('come for readers that prefer RSS to the page', async () => {
    const readers = 'application/rss+xml, application/atom+xml;q=0.9, text/html;q=0.5, */*;q=0.1';
    for (const path of ['/@alice', '/@alice/media', '/@alice/with_replies', '/tags/rooks']) {
      const feed = await openPage(town, path, { Accept: readers });
      expect(feed.headers.get('content-type'), path).to.equal('application/rss+xml; charset=utf-8');
      expect(feed.text).to.equal((await open(`${path}.rss`)).text);
      const page = await open(path);
      expect(page.headers.get('content-type'), path).to.equal('text/html; charset=utf-8');
      expect(page.headers.get('vary'), path).to.match(/Accept/);
    }
  });

  it('are sent once, like public pages and documents, until they change', async () => {
    const json = { Accept: 'application/activity+json' };
    const cases: [string, Record<string, string>][] = [
      ['/@alice.rss', {}],
      ['/tags/rooks.rss', {}],
      ['/@alice', {}],
      ['/about', {}],
      ['/users/alice', json],
    ];
    for (const [path, headers] of cases) {
      const first = await openPage(town, path, headers);
      const tag = first.headers.get('etag') ?? '';
      expect(tag, path).to.match(/^W\/"[\w-]{22}"$/);
      const again = await openPage(town, path, { ...headers, 'If-None-Match': `"other", ${tag}` });
      expect([again.status, again.text, again.headers.get('etag')], path).to.deep.equal([304, '', tag]);
      expect(again.headers.get('cache-control'), path).to.equal(first.headers.get('cache-control'));
      expect((await openPage(town, path, { ...headers, 'If-None-Match': '"other"' })).status).to.equal(200);
    }
    const { headers } = await open('/@alice.rss');
    await post(alice, 'something new');
    const changed = await openPage(town, '/@alice.rss', { 'If-None-Match': headers.get('etag') ?? '' });
    expect(changed.status).to.equal(200);
  });

  it('contain public posts with a hashtag, also remote ones', async () => {
    const far = await remoteAccount(town.app, 'far', 'far.example');
    await remotePost(town, far, {
      content: '<p>from afar\u000b\uffff</p>',
      url: 'javascript:alert(1)',
      tags: [{ name: 'rooks', normal: 'rooks' }],
    });
    const { text, status } = await open('/tags/Rooks.rss');
    expect(status).to.equal(200);
    const [newest] = itemsOf(text);
    expect(newest?.['description']?.[0]).to.equal('<p>from afar</p>');
    expect(newest?.['link']?.[0]).to.match(/^https:\/\/far\.example\//);
    expect(text).not.to.match(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
    expect((await open('/tags/-.rss')).status).to.equal(404);
    expect((await open('/@nobody.rss')).status).to.equal(404);
  });
});
