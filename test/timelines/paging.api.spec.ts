import { expect } from 'chai';
import { describeTown, type Person } from '../support/people.ts';
import { follow, giveCard, list, makeTrend, post, type WithId } from './support.ts';

const LINK = 'https://news.example/paging';

describeTown('Paging through a timeline', (town) => {
  let reader: Person;
  let author: Person;
  let listId: string;

  before(async () => {
    reader = await town.person('reader');
    author = await town.person('author', { discoverable: true });
    await follow(reader, author);
    listId = await list(reader, {}, [author]);
    await makeTrend(town, LINK);
  });

  /** Writes a post that appears in every timeline. */
  const write = async (): Promise<string> => {
    const id = await post(author, 'more on #paging');
    await giveCard(town, id, LINK);
    await reader.post(`/api/v1/statuses/${id}/favourite`);
    await reader.post(`/api/v1/statuses/${id}/bookmark`);
    await town.waitUntilIdle();
    return id;
  };

  const paths = (): string[] => [
    '/api/v1/timelines/home',
    `/api/v1/timelines/list/${listId}`,
    '/api/v1/timelines/public',
    '/api/v1/timelines/tag/paging',
    `/api/v1/timelines/link?url=${LINK}`,
    `/api/v1/accounts/${author.id}/statuses`,
    '/api/v1/favourites',
    '/api/v1/bookmarks',
  ];

  it('returns everything once down and up again, while posts are created', async () => {
    const atStart: string[] = [];
    for (let n = 0; n < 7; n += 1) atStart.unshift(await write());
    const walks = paths().map((path) => {
      const [place = '', query = ''] = path.split('?');
      return { place, query: `${query}&limit=2`, down: [] as string[][], up: [] as string[][] };
    });
    const step = async (walk: (typeof walks)[number], pages: string[][], rel: 'next' | 'prev') => {
      const { status, json, links } = await reader.get<WithId[]>(`${walk.place}?${walk.query}`);
      expect(status, `${walk.place}?${walk.query}`).to.equal(200);
      pages.push(json.map(({ id }) => id));
      return links[rel];
    };

    const written = [...atStart];
    // Together they fill four pages. The last one is not full, so nothing follows it, yet timelines link on.
    for (let page = 0; page < 4; page += 1) {
      for (const walk of walks) {
        const next = await step(walk, walk.down, 'next');
        const endless = walk.place.includes('timelines');
        expect(next !== undefined, `${walk.place}: a page after page ${page}`).to.equal(endless || page < 3);
        if (next !== undefined && page < 3) walk.query = next;
      }
      written.unshift(await write());
    }
    for (const walk of walks) expect(walk.down.flat(), walk.place).to.deep.equal(atStart);

    for (const walk of walks) {
      let place = await step(walk, [], 'prev');
      while (place !== undefined) {
        walk.query = place;
        place = await step(walk, walk.up, 'prev');
      }
      const everything = [...walk.up.reverse().flat(), ...(walk.down.at(-1) ?? [])];
      expect(everything, walk.place).to.deep.equal(written);
    }
  });

  it('accepts bounds as documented, also two at once', async () => {
    const { json } = await reader.get<WithId[]>('/api/v1/timelines/home?limit=40');
    const ids = json.map(({ id }) => id);
    for (const path of paths().slice(0, 6)) {
      const read = async (query: string): Promise<string[]> => {
        const page = await reader.get<WithId[]>(`${path}${path.includes('?') ? '&' : '?'}${query}`);
        expect(page.status, `${path} ${query} ${JSON.stringify(page.json)}`).to.equal(200);
        return page.json.map(({ id }) => id);
      };
      expect(await read(`max_id=${ids[1]}&limit=2`), path).to.deep.equal(ids.slice(2, 4));
      expect(await read(`since_id=${ids[4]}&limit=2`), path).to.deep.equal(ids.slice(0, 2));
      expect(await read(`min_id=${ids[4]}&limit=2`), path).to.deep.equal(ids.slice(2, 4));
      expect(await read(`max_id=${ids[1]}&min_id=${ids[6]}`), path).to.deep.equal(ids.slice(2, 6));
      expect(await read(`max_id=${ids[1]}&since_id=${ids[6]}&limit=2`), path).to.deep.equal(ids.slice(2, 4));
      expect(await read(`max_id=1`), path).to.deep.equal([]);
      expect(await read(`min_id=${ids[0]}`), path).to.deep.equal([]);
      expect(await read('limit=100000'), path).to.have.length(ids.length);
      for (const nothing of ['limit=0', 'limit=x', 'limit=', 'limit=0&min_id=1', 'max_id=x', 'max_id=-1']) {
        expect(await read(nothing), `${path} ${nothing}`).to.deep.equal([]);
      }
      expect(await read('limit=-2'), path).to.deep.equal(ids.slice(0, 2));
      expect(await read('limit=2.9'), path).to.deep.equal(ids.slice(0, 2));
      expect(await read('max_id=&since_id=x&min_id=&limit[]=1'), path).to.deep.equal(ids);
      expect(await read('min_id=x&limit=2'), path).to.deep.equal(ids.slice(-2));
      expect(await read(`max_id=${ids[1]}abc&limit=1`), path).to.deep.equal(ids.slice(2, 3));
      expect(await read(`max_id=${'9'.repeat(30)}`), path).to.deep.equal(ids);
      expect(await read(`since_id=${'9'.repeat(30)}`), path).to.deep.equal([]);
    }
  });

  it('leaves out favourites and bookmarks of removed posts', async () => {
    const before = (await reader.get<WithId[]>('/api/v1/favourites?limit=40')).json.map(({ id }) => id);
    const reported = await reader.post('/api/v1/reports', { account_id: author.id, status_ids: [before[1]] });
    expect(reported.status).to.be.oneOf([200, 404]);
    await author.delete(`/api/v1/statuses/${before[1]}`);
    for (const path of ['favourites', 'bookmarks']) {
      const { status, json } = await reader.get<WithId[]>(`/api/v1/${path}?limit=40`);
      expect(status, path).to.equal(200);
      expect(
        json.map(({ id }) => id),
        path,
      ).to.deep.equal(before.filter((id) => id !== before[1]));
    }
  });
});
