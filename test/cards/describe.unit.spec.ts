import { expect } from 'chai';
import { describe as describeCard } from '#adapters/preview-cards/describe.ts';
import { firstLink } from '#adapters/preview-cards/first-link.ts';
import { frameFor } from '#adapters/preview-cards/frames.ts';
import { readPage } from '#adapters/preview-cards/page.ts';

const URL_HERE = 'https://news.example/rooks';
const cardOf = (head: string, oembed?: Parameters<typeof describeCard>[2]) =>
  describeCard(URL_HERE, readPage(`<html lang="de"><head>${head}</head><body></body></html>`), oembed);

describe('The first link of a post', () => {
  const ORIGIN = 'https://rookery.example';
  it('skips mentions, hashtags, quotes, local links and other schemes', () => {
    const html =
      '<p class="quote-inline">RE: <a href="https://quoted.example/1">x</a></p>' +
      '<p><span class="h-card"><a href="https://a.example/@bob" class="u-url mention">@bob</a></span> ' +
      `<a href="${ORIGIN}/tags/x" class="mention hashtag" rel="tag">#x</a> <a href="${ORIGIN}/@alice/1">own</a> ` +
      '<a href="mailto:x@y.example">mail</a> <a href="https://one.example/a?b=1&amp;c=2">one</a> ' +
      '<a href="https://two.example/">two</a></p>';
    expect(firstLink(html, ORIGIN)).to.equal('https://one.example/a?b=1&c=2');
    expect(firstLink('<p>none</p>', ORIGIN)).to.equal(undefined);
  });
});

describe('The preview card of a page', () => {
  it('prefers JSON-LD to Open Graph and Open Graph to the title', () => {
    const jsonLd = JSON.stringify({
      '@graph': [
        { '@type': 'Organization', name: 'x' },
        {
          '@type': 'NewsArticle',
          headline: 'From JSON-LD',
          author: [{ '@type': 'Person', name: 'A. Reporter', url: '/authors/a' }],
          publisher: { name: 'News' },
          datePublished: '2026-11-20T09:00:00+01:00',
        },
      ],
    });
    const head =
      '<title>Plain</title><meta property="og:title" content="From OG"><meta name="description" content="About rooks">' +
      '<meta property="og:image" content="/rook.jpg"><meta property="og:image:alt" content="A rook">';
    expect(cardOf(head)).to.deep.include({ title: 'From OG', description: 'About rooks', type: 'link' });
    expect(cardOf(`${head}<script type="application/ld+json">${jsonLd}</script>`)).to.deep.include({
      title: 'From JSON-LD',
      author_name: 'A. Reporter',
      author_url: 'https://news.example/authors/a',
      provider_name: 'News',
      published_at: '2026-11-20T08:00:00.000Z',
      imageUrl: 'https://news.example/rook.jpg',
      image_description: 'A rook',
      language: 'de',
    });
    expect(cardOf('<title>Plain</title>')).to.deep.include({ title: 'Plain', imageUrl: undefined });
    const wide = jsonLd.replace('{', `{"x":[${'0,'.repeat(10_000)}0],`);
    expect(cardOf(`${head}<script type="application/ld+json">${wide}</script>`)?.title).to.equal('From OG');
  });

  it('keeps markup as plain text and limits its length', () => {
    const card = cardOf(
      `<title>&lt;script&gt;x&lt;/script&gt;\u202e\n  y</title><meta name="description" content="${'x'.repeat(5_000)}">`,
    );
    expect(card?.title).to.equal('<script>x</script> y');
    expect(card?.description.length).to.be.at.most(1_000);
  });

  it('is undefined for a page without usable metadata', () => {
    expect(cardOf('')).to.equal(undefined);
    expect(cardOf('<script type="application/ld+json">{"@type":</script>')).to.equal(undefined);
    expect(
      cardOf('<title>x</title><meta property="og:image" content="javascript:alert(1)">')?.imageUrl,
    ).to.equal(undefined);
  });

  it('is a player only for known hosts, in a frame of our own', () => {
    const video = { type: 'video' as const, title: 'A film', width: 640, height: 360 };
    const html =
      '<iframe src="https://www.youtube.com/embed/x?a=1&b=2" onload="evil()"></iframe><script>evil()</script>';
    const card = cardOf('', { ...video, html });
    expect(card).to.deep.include({ type: 'video', width: 640, height: 360 });
    expect(card?.html).to.match(
      /^<iframe src="https:\/\/www\.youtube\.com\/embed\/x\?a=1&amp;b=2" width="640"/,
    );
    expect(card?.html).to.contain('sandbox=');
    expect(card?.html).to.not.contain('evil');
    for (const src of [
      'https://evil.example/',
      'http://www.youtube.com/x',
      'https://www.youtube.com.evil.example/',
      'javascript:x',
    ]) {
      expect(frameFor({ html: `<iframe src="${src}"></iframe>` }), src).to.equal(undefined);
    }
    expect(cardOf('', { ...video, html: '<b>x</b>' })).to.deep.include({ type: 'link', html: '' });
  });

  it('is a photo when oEmbed says so', () => {
    const photo = {
      type: 'photo' as const,
      title: 'A rook',
      url: 'https://p.example/r.jpg',
      width: 10,
      height: 20,
    };
    expect(cardOf('', photo)).to.deep.include({
      type: 'photo',
      embed_url: photo.url,
      imageUrl: photo.url,
      width: 10,
    });
  });
});
