import { expect } from 'chai';
import { plainText } from '#mastodon/html.ts';

describe('The text of HTML', () => {
  it('contains no tags, and decoded characters', () => {
    expect(plainText('<p>a<br />b</p><p>c &amp; <b>d</b> &#101;</p>')).equal('a\nb\nc & d e');
  });

  it('takes linear time, whatever the HTML', function () {
    // A quadratic implementation took more than half a minute for this.
    this.timeout(10_000);
    for (const piece of ['<', '<a ', '<!--', '<br ', '</p> ', '&#x0']) plainText(piece.repeat(100_000));
  });
});
