import { expect } from 'chai';
import { inHeader, inPage } from '#adapters/preview-cards/link-back.ts';
import { patience } from '../support/deadlines.ts';

const ALICE = 'https://rookery.example/@alice';

describe('Links back to a profile', () => {
  const links: Record<string, string> = {
    'an anchor': `<p>I am <a href="${ALICE}" rel="me">here</a>`,
    'a link in the head': `<head><link rel="me" href="${ALICE}"></head>`,
    'one of several relations': `<a rel="nofollow  ME\nnoopener" href="${ALICE}">`,
    'a name and a host in another case': '<a rel=me href="HTTPS://Rookery.EXAMPLE/@Alice">',
    'spaces around': `<a rel="me" href=" ${ALICE}\n">`,
    'one after others': `<a rel="me" href="https://other.example/@alice"></a><a rel="me" href="${ALICE}">`,
    'a broken page': `<<a <div><a rel='me' href='${ALICE}'`.concat('>'),
  };
  for (const [what, html] of Object.entries(links)) {
    it(`are found in ${what}`, () => expect(inPage(html, ALICE)).to.equal(true));
  }

  const others: Record<string, string> = {
    nothing: '',
    'a link without rel': `<a href="${ALICE}">`,
    'another rel': `<a rel="meta" href="${ALICE}"><a rel="menu-me" href="${ALICE}">`,
    'a link to somebody else': '<a rel="me" href="https://rookery.example/@alicent">',
    'a link below the profile': `<a rel="me" href="${ALICE}/1"><a rel="me" href="${ALICE}?x"><a rel="me" href="${ALICE}#x">`,
    'a slash at the end': `<a rel="me" href="${ALICE}/">`,
    'the document of the account': '<a rel="me" href="https://rookery.example/users/alice">',
    'a host that looks alike': '<a rel="me" href="https://rookery.example.evil.example/@alice">',
    'letters that look alike': '<a rel="me" href="https://r\u043Eokery.example/@alice">',
    'a user info': '<a rel="me" href="https://x@rookery.example/@alice">',
    'another scheme': '<a rel="me" href="http://rookery.example/@alice">',
    'another port': '<a rel="me" href="https://rookery.example:8443/@alice">',
    'a relative address':
      '<base href="https://rookery.example/"><a rel="me" href="/@alice"><a rel="me" href="@alice">',
    'a comment': `<!-- <a rel="me" href="${ALICE}"> -->`,
    'a script': `<script>"<a rel='me' href='${ALICE}'>"</script>`,
    'a style': `<style><a rel="me" href="${ALICE}"></style>`,
    'a text area': `<textarea><a rel="me" href="${ALICE}"></textarea>`,
    'a title': `<title><a rel="me" href="${ALICE}"></title>`,
    'escaped text': `&lt;a rel="me" href="${ALICE}"&gt;`,
    'an attribute of something else': `<img alt='<a rel="me" href="${ALICE}">'>`,
    'another element': `<area rel="me" href="${ALICE}"><form rel="me" href="${ALICE}">`,
  };
  for (const [what, html] of Object.entries(others)) {
    it(`are not found in ${what}`, () => expect(inPage(html, ALICE)).to.equal(false));
  }

  it('are found in a Link header', () => {
    expect(inHeader(`<${ALICE}>; rel="me"`, ALICE)).to.equal(true);
    expect(inHeader(`</x>; rel=next, <${ALICE}>; title="a, b"; rel="author me"`, ALICE)).to.equal(true);
    expect(inHeader(`<${ALICE}>;REL=Me`, ALICE)).to.equal(true);
  });

  it('are not found in other Link headers', () => {
    const headers = [
      '',
      ALICE,
      `<${ALICE}>`,
      `<${ALICE}>; rel=next`,
      `<https://x.example/>; rel="me"; t="<${ALICE}>"`,
    ];
    for (const header of headers) expect(inHeader(header, ALICE), header).to.equal(false);
  });

  it('are searched quickly in any page', () => {
    const started = performance.now();
    inPage('<a rel="me" '.repeat(80_000), ALICE);
    inHeader(`<x>${'; rel '.repeat(3_000)}`, ALICE);
    inHeader(', '.repeat(8_000), ALICE);
    expect(performance.now() - started).to.be.below(patience(3_000));
  });
});
