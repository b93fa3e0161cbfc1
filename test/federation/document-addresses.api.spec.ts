import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { describeTown, ok, type Person } from '../support/people.ts';

const ORIGIN = 'https://rookery.example';
const AS = { Accept: 'application/activity+json' };

describeTown('The addresses of documents', (town) => {
  let alice: Person;
  before(async () => {
    alice = await town.person('alice');
  });

  const fetched = async (path: string, headers: Record<string, string> = AS) => {
    const response = await fetch(`${town.url}${path}`, { headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown>,
    };
  };
  const post = (person: Person, body: { status: string }) =>
    ok(person.post<Status>('/api/v1/statuses', { visibility: 'public', ...body }));
  const pathOf = (uri: string): string => uri.slice(ORIGIN.length);

  it('lead back to newer posts, and begin at the oldest', async () => {
    const edo = await town.person('edo');
    const uris: string[] = [];
    for (let n = 0; n < 22; n += 1)
      uris.unshift(`${(await post(edo, { status: `Post ${n}` })).uri}/activity`);
    const page = async (path: string) => {
      const { body } = await fetched(path);
      const { id, next, prev, orderedItems } = body as Record<'id' | 'next' | 'prev', string> & {
        orderedItems: { id: string }[];
      };
      return { id, next, prev, uris: orderedItems.map((item) => item.id) };
    };
    const { last } = (await fetched('/users/edo/outbox')).body as { last: string };
    const oldest = await page(pathOf(last));
    expect(oldest.uris).to.deep.equal(uris.slice(2));
    expect(oldest.id).to.equal(`${ORIGIN}/users/edo/outbox?page=true&min_id=0`);
    const newest = await page(pathOf(oldest.prev));
    expect(newest.uris).to.deep.equal(uris.slice(0, 2));
    expect(newest.next).to.equal(undefined);
    const beyond = await page(pathOf(newest.prev));
    expect(beyond).to.deep.include({ uris: [], prev: undefined, next: undefined });
    const first = await page('/users/edo/outbox?page=1');
    expect(first.uris).to.deep.equal(uris.slice(0, 20));
    expect(first.id).to.equal(`${ORIGIN}/users/edo/outbox?page=true`);
    expect((await page(pathOf(first.next))).prev).to.equal(
      `${ORIGIN}/users/edo/outbox?page=true&min_id=${/statuses\/(\d+)/.exec(uris[20] ?? '')?.[1]}`,
    );
  });

  it('take a slash at the end of their addresses, as pages and as documents', async () => {
    const { id, uri } = await post(alice, { status: 'With a slash' });
    for (const path of ['/@alice/', '/users/alice/', `/@alice/${id}/`, '/users/alice/outbox/']) {
      expect((await fetched(path)).status, path).to.equal(200);
    }
    for (const path of ['/@alice/', `/@alice/${id}/`, '/about/']) {
      const page = await fetched(path, { Accept: 'text/html' });
      expect(page.status, path).to.equal(200);
      expect(page.headers.get('content-type'), path).to.match(/^text\/html/);
    }
    expect((await fetched(`${pathOf(uri)}/`)).body).to.deep.include({ id: uri });
  });

  it('are named in a header of posts and pages, for programs that read no HTML', async () => {
    const { id, uri } = await post(alice, { status: 'Linked' });
    const link = (of: string) => `<${of}>; rel="alternate"; type="application/activity+json"`;
    for (const headers of [AS, { Accept: 'text/html' }]) {
      const answer = await fetched(`/@alice/${id}`, headers);
      expect(answer.headers.get('link'), headers.Accept).to.equal(link(uri));
    }
    const profile = await fetched('/@alice', { Accept: 'text/html' });
    expect(profile.headers.get('link')).to.equal(link(`${ORIGIN}/users/alice`));
    expect((await fetched('/about', { Accept: 'text/html' })).headers.get('link')).to.equal(null);
  });
});
