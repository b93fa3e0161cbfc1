import { expect } from 'chai';
import { sanitizeRemoteHtml as sanitize } from '#commands/text/sanitize.ts';

describe('The HTML of other servers', () => {
  it('keeps what Mastodon writes', () => {
    const html =
      '<p>Hi <span class="h-card" translate="no"><a class="u-url mention" href="https://x.org/@bob" rel="nofollow noopener" target="_blank">@<span>bob</span></a></span>' +
      '<br />and</p>';
    const clean = sanitize(html);
    expect(clean).to.contain('<span class="h-card" translate="no">').and.to.contain('class="u-url mention"');
    expect(clean)
      .to.contain('href="https://x.org/@bob"')
      .and.to.contain('target="_blank"')
      .and.to.contain('<br />');
  });

  it('keeps text formats and lists', () => {
    const html =
      '<pre><code>x</code></pre><blockquote><em>a</em><strong>b</strong><del>c</del></blockquote><ol start="3" reversed><li value="2">d</li></ol>';
    const clean = sanitize(html);
    for (const part of ['<pre><code>', '<blockquote><em>', '<del>', '<li value="2">'])
      expect(clean).to.contain(part);
    expect(clean).to.match(/<ol [^>]*start="3"/);
  });

  it('turns headings into bold paragraphs', () => {
    expect(sanitize('<h1>A</h1><h3>B</h3>&lt;h1&gt;')).to.equal(
      '<p><strong>A</strong></p><p><strong>B</strong></p>&lt;h1&gt;',
    );
  });

  it('keeps the class of the fallback link for a quote, by which clients hide it', () => {
    const html = '<p class="quote-inline">RE: x</p>';
    expect(sanitize(html)).to.equal(html);
    expect(sanitize('<p class="quote-inline other">x</p>')).to.equal('<p class="quote-inline">x</p>');
  });

  it('keeps struck-out text, readings of characters and languages', () => {
    for (const html of [
      '<s>old</s>',
      '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>',
      '<p lang="de-CH">Grüezi <span lang="fr">salut</span></p>',
      '<blockquote lang="ja"><p>x</p></blockquote>',
      '<span class="quote-inline">RE: x</span>',
      '<p class="p-summary">x</p>',
      '<ol start="3" lang="en"><li value="2" lang="en">x</li></ol>',
    ]) {
      expect(sanitize(html)).to.equal(html);
    }
    expect(sanitize('<h2 lang="de">x</h2><p lang="x&quot;onclick=y">y</p>')).to.equal(
      '<p lang="de"><strong>x</strong></p><p>y</p>',
    );
  });

  it('drops scripts, styles, images, handlers and unknown classes', () => {
    expect(
      sanitize(
        '<script>alert(1)</script><style>p{}</style><img src=x onerror=y><p onclick="z" style="a" class="b">t</p>',
      ),
    ).to.equal('<p>t</p>');
    expect(sanitize('<span class="evil h-card invisible modal">x</span>')).to.equal(
      '<span class="h-card invisible">x</span>',
    );
    expect(
      sanitize('<iframe src="https://x.org"></iframe><svg><a xlink:href="x">t</a></svg><form><input></form>'),
    ).to.equal('t');
    expect(sanitize('<ol start="x"><li value="1e9">a</li></ol>')).to.equal('<ol><li>a</li></ol>');
  });

  it('turns links of other schemes into text', () => {
    for (const href of [
      'javascript:alert(1)',
      ' JAVAscript:x',
      'java&#10;script:x',
      'data:text/html,x',
      '//x.org',
      '/x',
      'mailto:a@b.c',
      '',
    ]) {
      expect(sanitize(`a <a href="${href}">b <b>c</b></a>`)).to.equal('a b <b>c</b>');
    }
    expect(sanitize('<a>x</a><a href="https://x.org/\u202Efdp.exe">y</a>')).to.equal('xy');
    expect(sanitize('<a href="gemini://x.org/">x</a>')).to.contain('href="gemini://x.org/"');
  });

  it('sets rel itself, keeping only tag', () => {
    expect(sanitize('<a href="https://x.org" rel="tag me opener">x</a>')).to.contain(
      'rel="tag nofollow noopener"',
    );
  });

  it('closes open elements, and bounds length and depth', () => {
    expect(sanitize('<p>a <em>b')).to.equal('<p>a <em>b</em></p>');
    expect(sanitize('x'.repeat(300_000))).to.have.length(100_000);
    const deep = sanitize('<blockquote>'.repeat(8000));
    expect(deep.match(/<blockquote>/g)!.length).to.be.at.most(64);
    for (const seed of ['<', '<a ', '<p><a href="http://x">', '&', '<!--', '</p>', '<a href="'])
      sanitize(seed.repeat(20_000));
  });
});
