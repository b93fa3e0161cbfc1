import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('GET /api/oembed', (town) => {
  let alice: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
  });

  const post = async (visibility: string): Promise<Status> =>
    (await alice.post<Status>('/api/v1/statuses', { status: 'Hello <world>', visibility })).json;
  const oembed = async (
    url: string,
    more = '',
  ): Promise<{ status: number; json: Record<string, unknown> }> => {
    await town.waitUntilIdle();
    return town.nobody.get(`/api/oembed?url=${encodeURIComponent(url)}${more}`);
  };

  it('describes a public post by its web address and its id', async () => {
    const { url, uri } = await post('public');
    const { status, json } = await oembed(url!);
    expect(status).to.equal(200);
    expect(json).to.deep.include({
      type: 'rich',
      version: '1.0',
      author_url: 'https://rookery.example/@alice',
      provider_name: 'rookery.example',
      provider_url: 'https://rookery.example/',
      width: 400,
      height: null,
    });
    expect(json['html']).to.contain(`href="${url}"`);
    expect((await oembed(uri)).json).to.deep.equal(json);
    expect((await oembed(url!.replace('https:', 'http:'))).json).to.deep.equal(json);
    expect((await oembed(url!, '&maxwidth=250&maxheight=300')).json).to.deep.include({
      width: 250,
      height: 300,
    });
  });

  it('returns 404 for posts that are private, missing or remote', async () => {
    const hidden = await post('private');
    const { url } = await post('public');
    const other = [
      hidden.url!,
      url!.replace('@alice', '@bob'),
      'https://rookery.example/@alice/1',
      'https://rookery.example/@alice/99999999999999999999',
      'https://elsewhere.example/@alice/1',
      'nonsense',
    ];
    for (const each of other) expect((await oembed(each)).status, each).to.equal(404);
    for (const query of ['', '?url=', '?url[a]=b', '?maxwidth=maybe', `?url=${'x'.repeat(3_000)}`]) {
      const answer = await town.nobody.get(`/api/oembed${query}`);
      expect([answer.status, answer.json], query).to.deep.equal([404, { error: 'Record not found' }]);
    }
  });
});
