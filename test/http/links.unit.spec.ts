import { expect } from 'chai';
import { linkHeader } from '#interfaces/http/reply.ts';

const ORIGIN = 'https://example.test';
const LIST = { origin: ORIGIN, parameters: ['limit', 'max_id', 'a'] };
const next = { max_id: '7' };
const nextOf = (url: string): string | undefined => linkHeader({ next }, LIST, url);

describe('Link headers', () => {
  it('lead to older and newer items with absolute URLs', () => {
    expect(linkHeader({ next, prev: { min_id: '9' } }, LIST, '/api/v1/timelines/home')).to.equal(
      '<https://example.test/api/v1/timelines/home?max_id=7>; rel="next", ' +
        '<https://example.test/api/v1/timelines/home?min_id=9>; rel="prev"',
    );
  });

  it('are absent when there are no further items', () => {
    expect(linkHeader({}, LIST, '/api/v1/timelines/home')).to.equal(undefined);
  });

  it("keep the list's other parameters sorted by name, and drop the old position and unknown ones", () => {
    expect(
      nextOf('/api/v1/favourites?limit=2&max_id=9&since_id=1&access_token=secret&a[]=x&b=1&z[]=y'),
    ).to.equal('<https://example.test/api/v1/favourites?a%5B%5D=x&limit=2&max_id=7>; rel="next"');
  });

  it('encode paths, whatever the client sent', () => {
    expect(nextOf('/api/v1/timelines/tag/caf\u00e9">')).to.equal(
      '<https://example.test/api/v1/timelines/tag/caf%C3%A9%22%3E?max_id=7>; rel="next"',
    );
  });

  it('ignore the host of an absolute request URL, even an invalid one', () => {
    for (const host of ['other.example', 'x:99999', '[::zz]', '']) {
      expect(nextOf(`http://${host}/api/v1/timelines/home?limit=2`), host).to.equal(
        '<https://example.test/api/v1/timelines/home?limit=2&max_id=7>; rel="next"',
      );
    }
  });
});
