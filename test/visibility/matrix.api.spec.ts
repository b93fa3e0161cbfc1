import { expect } from 'chai';
import { z } from 'zod';
import { endpoints } from '#app/routes.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { appearances, type OpenTimeline } from '#queries/timelines/index.ts';
import type { Answer } from '../support/server.ts';
import { buildWorld } from './build-world.ts';
import { ACCOUNT_SURFACES, EXCEPTIONS, posts, SURFACES } from './surfaces.ts';
import {
  type Author,
  AUTHORS,
  type Item,
  maySee,
  sawOnce,
  type Viewer,
  VIEWERS,
  wants,
  type World,
} from './world.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
/** An id that nothing has. */
const ABSENT = '100000000000000000';
const SHOWING = ['Status', 'Account', 'Poll', 'MediaAttachment', 'StatusEdit', 'StatusSource', 'Translation'];
/** Endpoints that name one post or one poll, whatever they do with it. */
const BY_ID = endpoints.filter(({ path }) => /^\/api\/v1\/(statuses|polls)\/:/.test(path));
/** An interaction can be undone after the post has become hidden. */
const UNDOING = /\/un\w+$/;
const BODIES: Record<string, object> = {
  'POST /api/v1/polls/:id/votes': { choices: [0] },
  'PUT /api/v1/statuses/:id': { status: 'changed' },
  'POST /api/v1/statuses/:id/translate': { lang: 'en' },
};

describe('The visibility of every post to every viewer on every surface', function () {
  this.timeout(60_000);
  let world: World;
  before(async function () {
    this.timeout(240_000);
    world = await buildWorld();
  });
  after(function () {
    this.timeout(60_000);
    return world.server.close();
  });

  const call = (viewer: Viewer, method: string, path: string, body?: object): Promise<Answer> =>
    world.server.call(method, path, {
      token: viewer === 'anonymous' ? undefined : world.tokens[viewer],
      ...(body ? { body } : {}),
    });
  /** Returns the ids on all pages of a timeline. */
  const wholeTimeline = async (viewer: Viewer, path: string): Promise<string[]> => {
    const ids: string[] = [];
    for (;;) {
      const below = ids.length === 0 ? '' : `&max_id=${ids.at(-1)}`;
      const page = `${path}${path.includes('?') ? '&' : '?'}limit=40${below}`;
      const found = (await call(viewer, 'GET', page)).body as { id: string }[];
      if (found.length === 0) return ids;
      ids.push(...found.map(({ id }) => id));
    }
  };
  const hiddenFrom = (viewer: Viewer): Item[] => world.items.filter((item) => !maySee(viewer, item));

  it('is tested for every endpoint that can show posts or accounts, unless it is a listed exception', () => {
    const known = new Set([
      ...[SURFACES, ACCOUNT_SURFACES, EXCEPTIONS].flatMap((list) => Object.keys(list)),
      ...BY_ID.map(nameOf),
    ]);
    const forgotten = endpoints
      .filter(({ method, reply }) => method === 'GET' && showsPostsOrAccounts(reply))
      .map(nameOf)
      .filter((name) => !known.has(name));
    const remedy =
      'Add a row to SURFACES or ACCOUNT_SURFACES of test/visibility/surfaces.ts, or a reason to its EXCEPTIONS';
    expect(forgotten, remedy).to.deep.equal([]);
  });

  // An anonymous viewer has no streams.
  for (const viewer of VIEWERS.slice(1)) {
    it(`streams to ${viewer} exactly the posts that their timelines list`, async () => {
      const viewerId = world.ids[viewer] ?? '';
      const { db } = world.server.app;
      const statuses = await db.query<{ id: string }>('select id from statuses order by id');
      const listId = world.lists[viewer] ?? '0';
      const open: [string, OpenTimeline][] = [
        ['/api/v1/timelines/home', { viewerId, timeline: 'home' }],
        ['/api/v1/timelines/public', { viewerId, timeline: 'public', local: null, media: false }],
        ['/api/v1/timelines/public?local=true', { viewerId, timeline: 'public', local: true, media: false }],
        ...(listId === '0'
          ? []
          : [[`/api/v1/timelines/list/${listId}`, { viewerId, timeline: 'list', listId }] as never]),
      ];
      for (const gone of [false, true]) {
        const found = await appearances(
          db,
          statuses.map(({ id }) => ({ id, gone })),
          open.map(([, timeline]) => timeline),
        );
        for (const [place, [path]] of open.entries()) {
          const live = new Set(
            found.flatMap(({ timeline, statusId }) => (timeline === place ? [statusId] : [])),
          );
          expect([...live].sort(), path).to.deep.equal((await wholeTimeline(viewer, path)).sort());
        }
      }
    });
  }

  for (const viewer of VIEWERS) {
    it(`lets ${viewer} open exactly the posts that they may see, by id`, async () => {
      const wrong = await inTurns(world.items, async (item) => {
        const { status } = await call(viewer, 'GET', `/api/v1/statuses/${item.id}`);
        return status === (maySee(viewer, item) ? 200 : 404) ? [] : [{ ...named(item), status }];
      });
      expect(wrong.flat()).to.deep.equal([]);
    });

    it(`replies to ${viewer} about a hidden post as about a missing one`, async () => {
      for (const endpoint of BY_ID) {
        if (viewer === 'anonymous' && endpoint.auth !== 'optional' && !endpoint.subjectShown) continue;
        const ofPoll = endpoint.path.startsWith('/api/v1/polls/');
        const body = endpoint.method === 'GET' ? undefined : (BODIES[nameOf(endpoint)] ?? {});
        const ask = async (id: string): Promise<string> => {
          const path = endpoint.path.replace(/:\w+/, id).replaceAll(/:\w+/g, ABSENT);
          return comparable(await call(viewer, endpoint.method, path, body));
        };
        const absent = await ask(ABSENT);
        const hidden = hiddenFrom(viewer).filter(
          (item) =>
            (!ofPoll || item.pollId !== undefined) && !(UNDOING.test(endpoint.path) && touched(viewer, item)),
        );
        const told = await inTurns(hidden, async (item) => {
          const answer = await ask(ofPoll ? (item.pollId ?? '') : item.id);
          return answer === absent ? [] : [{ ...named(item), answer }];
        });
        expect(told.flat(), nameOf(endpoint)).to.deep.equal([]);
      }
    });

    it(`refuses replies and quotes of hidden posts by ${viewer}`, async () => {
      if (viewer === 'anonymous') return;
      for (const name of ['in_reply_to_id', 'quoted_status_id']) {
        const ask = async (id: string): Promise<string> =>
          comparable(await call(viewer, 'POST', '/api/v1/statuses', { status: 'an answer', [name]: id }));
        const absent = await ask(ABSENT);
        const told = await inTurns(hiddenFrom(viewer), async (item) => {
          const answer = await ask(item.id);
          return answer === absent ? [] : [{ ...named(item), answer }];
        });
        expect(told.flat(), name).to.deep.equal([]);
      }
    });

    it(`lists for ${viewer} all posts meant for them, and none that are hidden or unwanted`, async () => {
      for (const [name, { paths, shows }] of Object.entries(SURFACES)) {
        const endpoint = endpoints.find((each) => nameOf(each) === name);
        if (!endpoint || (viewer === 'anonymous' && endpoint.auth === 'user')) continue;
        const asked = paths(world, viewer);
        if (asked.length === 0) continue;
        const texts = (await inTurns(asked, (path) => pagesOf(viewer, path))).flat();
        const listed = new Set(texts.flatMap((text) => [...statusIds(JSON.parse(text))]));
        const anywhere = new Set(texts.flatMap((text) => [...statusIds(JSON.parse(text), true)]));
        const all = texts.join('\n');
        const wrong = world.items.flatMap((item) => {
          const visible = maySee(viewer, item);
          const expected = visible ? shows(viewer, item) : false;
          const found = (visible ? listed : anywhere).has(item.id);
          const told = item.word !== undefined && !visible && all.includes(item.word);
          return told || (expected !== undefined && expected !== found)
            ? [
                `${item.author} ${item.visibility} ${item.form}: ${found ? 'there' : told ? 'told' : 'missing'}`,
              ]
            : [];
        });
        expect(wrong, name).to.deep.equal([]);
      }
    });

    it(`leaves accounts that hide or are hidden from ${viewer} out of lists of accounts`, async () => {
      for (const [name, path] of Object.entries(ACCOUNT_SURFACES)) {
        const { status, body } = await call(viewer, 'GET', path(world));
        expect(status, name).to.equal(200);
        const found = new Set((body as { id: string }[]).map(({ id }) => id));
        const wrong = AUTHORS.filter(
          (author) => !listed(viewer, author) && found.has(world.ids[author] ?? ''),
        );
        expect(wrong, name).to.deep.equal([]);
        if (listed(viewer, 'author')) expect([...found], name).to.include(world.ids['author']);
      }
    });
  }

  describe('on public web pages', () => {
    const open = (path: string): Promise<Answer> =>
      world.server.call('GET', path, { headers: { Accept: 'text/html' } });
    /** The local account that has a page for the post; remote accounts have no pages. */
    const posterOf = ({ form, author }: Item): string => (form === 'boost' ? 'friend' : author);

    it('opens public posts, and replies for all others as for missing ones', async () => {
      const absent = comparable(await open(`/@author/${ABSENT}`));
      const wrong = await inTurns(world.items, async (item) => {
        const answer = await open(`/@${posterOf(item)}/${item.id}`);
        const elsewhere = posterOf(item) === 'far' || (item.form === 'boost' && item.author === 'far');
        const expected = () => {
          if (posterOf(item) === 'gone') return answer.status === 403;
          if (posterOf(item) === 'far' || !maySee('anonymous', item)) return comparable(answer) === absent;
          return answer.status === (item.form === 'boost' || item.form === 'reblog' ? 302 : 200);
        };
        const to = answer.headers.get('location') ?? '';
        const led =
          to === '' || to.startsWith(elsewhere ? `https://far.example/` : 'https://rookery.example/@');
        return expected() && led ? [] : [{ ...named(item), status: answer.status, to }];
      });
      expect(wrong.flat()).to.deep.equal([]);
    });

    it('lists all public posts of a profile, and no hidden post on any page', async () => {
      const followed = async (first: string): Promise<string> => {
        const texts: string[] = [];
        for (let path: string | undefined = first; path !== undefined;) {
          const { status, body } = await open(path);
          expect(status, path).to.equal(200);
          texts.push(body as string);
          path = /<a href="https:\/\/rookery\.example([^"]+)" rel="next"/.exec(body as string)?.[1];
        }
        return texts.join('\n');
      };
      const lists = [
        '',
        '/with_replies',
        '/media',
        '/tagged/matrix',
        '.rss',
        '/with_replies.rss',
        '/tagged/matrix.rss',
      ];
      const paths = ['author', 'friend'].flatMap((name) => lists.map((list) => `/@${name}${list}`));
      const threads = posts(world).map(({ answerId }) => `/@friend/${answerId ?? ''}`);
      const shown = new Map<string, string>();
      for (const path of [
        ...paths,
        ...threads,
        `/@friend/${world.rootId}`,
        '/tags/matrix',
        '/tags/matrix.rss',
      ]) {
        shown.set(path, await followed(path));
      }
      const all = [...shown.values()].join('\n');
      const told = hiddenFrom('anonymous').filter(({ word }) => word !== undefined && all.includes(word));
      expect(told.map(named)).to.deep.equal([]);
      const missing = world.items.filter(
        (item) =>
          item.author === 'author' &&
          item.word !== undefined &&
          maySee('anonymous', item) &&
          shown.get('/@author/with_replies')?.includes(item.word) !== true,
      );
      expect(missing.map(named)).to.deep.equal([]);
    });
  });

  /** Returns the texts of a list from its first to its last page. */
  async function pagesOf(viewer: Viewer, first: string): Promise<string[]> {
    const texts: string[] = [];
    for (let path: string | undefined = first; path !== undefined;) {
      const { status, body, headers } = await call(viewer, 'GET', path);
      expect(status, `${path} ${JSON.stringify(body)}`).to.equal(200);
      texts.push(JSON.stringify(body));
      path = /<[^>]*\/\/[^/]+([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    return texts;
  }
});

const named = ({ author, visibility, form }: Item) => ({ item: `${author} ${visibility} ${form}` });

/**
 * No list shows suspended accounts, or accounts with a block or mute either way. Accounts of a blocked server
 * may be listed.
 */
const listed = (viewer: Viewer, author: Author): boolean =>
  author !== 'gone' && (viewer === 'domainBlocking' || wants(viewer, author));

/** Marks on a reblog are marks on the reblogged post; the friend's originals have no marks. */
const touched = (viewer: Viewer, item: Item): boolean => item.form !== 'reblog' && sawOnce(viewer, item);

/** Returns a reply without the parts that differ between equal requests. */
function comparable({ status, headers, body }: Answer): string {
  const changing = /^(date|x-request-id|x-ratelimit-.*)$/;
  const kept = [...headers].filter(([name]) => !changing.test(name));
  return `${status} ${JSON.stringify(body)} ${JSON.stringify(kept)}`;
}

function showsPostsOrAccounts(reply: z.ZodType): boolean {
  const schema = z.toJSONSchema(reply, { unrepresentable: 'any' });
  return [schema.id, ...Object.keys(schema.$defs ?? {})].some(
    (id) => id !== undefined && SHOWING.includes(id),
  );
}

/** Yields the ids of all posts in a reply, including quoted ones if `quoted`. */
function* statusIds(value: unknown, quoted = false): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('visibility' in value && 'account' in value && 'id' in value) yield String(value.id);
  // Grouped notifications refer to posts by id.
  if ('status_id' in value && typeof value.status_id === 'string') yield value.status_id;
  for (const [key, inner] of Object.entries(value)) {
    if (quoted || key !== 'quoted_status') yield* statusIds(inner, quoted);
  }
}

/** Processes a few items at a time. */
async function inTurns<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < all.length; from += 12) {
    results.push(...(await Promise.all(all.slice(from, from + 12).map(work))));
  }
  return results;
}
