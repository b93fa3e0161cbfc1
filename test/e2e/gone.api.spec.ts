import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { Collection, Filter, List, Notification, Status } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';

/** The profile text of the account that is suspended or deleted. */
const NOTE = 'ornithologist';

/** Two users interact in every way, until one of them or their posts are suspended or deleted. */
describeTown('Content that is suspended or deleted', function (town) {
  this.timeout(120_000);

  const make = async <Json>(who: Client, path: string, body: object = {}): Promise<Json> => {
    const { status, json } = await who.post<Json>(path, body);
    expect(status, `${path} ${JSON.stringify(json)}`).to.equal(200);
    return json;
  };

  /** Parameter values for the endpoints, by the path segment before the parameter. */
  interface Known {
    reader: Person;
    other: Person;
    /** A text that is in every post of the other user. */
    words: string;
    /** Posts of the reader, each related to the other user. */
    readerPosts: Status[];
    otherPosts: Status[];
    ids: Record<string, string[]>;
  }

  /** Makes the reader interact in every way with another account and its posts. */
  async function entangle(prefix: string): Promise<Known> {
    const words = `nightingale ${prefix}`;
    const reader = await town.person(`${prefix}_reader`);
    const other = await town.person(`${prefix}_other`, { discoverable: true, note: NOTE, note_html: NOTE });
    await make(reader, `/api/v1/accounts/${other.id}/follow`);
    await make(other, `/api/v1/accounts/${reader.id}/follow`, { notify: true });
    await make(reader, `/api/v1/accounts/${other.id}/endorse`);
    await make(reader, `/api/v1/accounts/${other.id}/note`, { comment: 'a friend' });
    const list = await make<List>(reader, '/api/v1/lists', { title: 'friends' });
    await make(reader, `/api/v1/lists/${list.id}/accounts`, { account_ids: [other.id] });
    const collection = await make<{ collection: Collection }>(reader, '/api/v1/collections', {
      name: 'birds',
    });
    await make(reader, `/api/v1/collections/${collection.collection.id}/items`, { account_id: other.id });

    const post = (who: Person, body: object): Promise<Status> => make(who, '/api/v1/statuses', body);
    const poll = { options: ['one', 'two'], expires_in: 3_600 };
    const otherPosts = [
      await post(other, { status: `${words} #birds`, sensitive: true }),
      await post(other, { status: `${words}?`, poll }),
      await post(other, { status: `@${reader.username} ${words}`, visibility: 'direct' }),
    ];
    const [first, asked] = otherPosts as [Status, Status];
    await make(reader, `/api/v1/polls/${asked.poll?.id}/votes`, { choices: [0] });
    for (const { id } of [first, asked]) {
      for (const verb of ['favourite', 'bookmark', 'reblog']) {
        await make(reader, `/api/v1/statuses/${id}/${verb}`);
      }
    }
    await make(reader, `/api/v1/statuses/${asked.id}/mute`);
    const readerPosts = [
      await post(reader, { status: 'I agree', in_reply_to_id: first.id }),
      await post(reader, { status: 'look at that', quoted_status_id: first.id }),
      await post(reader, { status: `@${other.username} psst`, visibility: 'direct' }),
    ];
    for (const { id } of readerPosts) await make(other, `/api/v1/statuses/${id}/favourite`);
    await make(other, `/api/v1/statuses/${readerPosts[0]?.id}/reblog`);
    await make(reader, `/api/v1/statuses/${readerPosts[1]?.id}/pin`);
    const filter = await make<Filter>(reader, '/api/v2/filters', { title: 'x', context: ['home'] });
    await make(reader, `/api/v2/filters/${filter.id}/statuses`, { status_id: first.id });
    await town.waitUntilIdle();
    const { json: notifications } = await reader.get<Notification[]>('/api/v1/notifications');
    expect(notifications.map(({ type }) => type)).to.include.members([
      'follow',
      'mention',
      'favourite',
      'reblog',
    ]);
    return {
      reader,
      other,
      words,
      readerPosts,
      otherPosts,
      ids: {
        accounts: [reader.id, other.id],
        statuses: [...readerPosts, ...otherPosts].map(({ id }) => id),
        lists: [list.id],
        collections: [collection.collection.id],
        filters: [filter.id],
        polls: [asked.poll?.id ?? ''],
        notifications: notifications.flatMap(({ id, group_key }) => [id, group_key ?? id]),
        tags: ['birds'],
        tag: ['birds'],
      },
    };
  }

  const pathsFor = (path: string, { ids, other }: Known): string[] => {
    const [, before = ''] = /(\w+)\/:\w+/.exec(path) ?? [];
    if (!path.includes(':')) return [`${path}?id[]=${other.id}&acct=${other.username}`];
    return (ids[before] ?? []).map((id) => path.replace(/:\w+/, encodeURIComponent(id)));
  };

  /** Its reply changes whenever a checkpoint is signed, so it is not compared. */
  const CHECKPOINT = '/.well-known/rookery/checkpoint';

  /** Calls every GET endpoint as the reader. The client also validates each reply against its schema. */
  async function readAll(known: Known): Promise<Map<string, { status: number; text: string }>> {
    const replies = new Map<string, { status: number; text: string }>();
    for (const { path } of endpoints.filter(({ method, path }) => method === 'GET' && path !== CHECKPOINT)) {
      for (const each of pathsFor(path, known)) {
        const { status, json } = await known.reader.get(each);
        replies.set(each, { status, text: JSON.stringify(json) });
      }
    }
    return replies;
  }
  const failed = (replies: Map<string, { status: number; text: string }>): unknown[] =>
    [...replies].filter(([, { status }]) => status >= 500);
  const telling = (replies: Map<string, { status: number; text: string }>, ...words: string[]): string[] =>
    [...replies].filter(([, { text }]) => words.some((word) => text.includes(word))).map(([path]) => path);

  it('is shown nowhere while its account is suspended, and is back unchanged afterwards', async () => {
    const known = await entangle('a');
    const { reader, other, words } = known;
    const before = await readAll(known);
    expect(failed(before)).to.deep.equal([]);
    expect(telling(before, words)).to.include.members(
      ['favourites', 'bookmarks', 'notifications', 'conversations', 'timelines/home'].map(
        (path) => [...before.keys()].find((each) => each.startsWith(`/api/v1/${path}`)) ?? path,
      ),
    );

    await town.suspend(other);
    const meanwhile = await readAll(known);
    expect(failed(meanwhile)).to.deep.equal([]);
    expect(telling(meanwhile, words, NOTE)).to.deep.equal([]);
    for (const list of [
      'favourites',
      'bookmarks',
      'endorsements',
      `lists/${known.ids['lists']?.[0]}/accounts`,
    ]) {
      expect((await reader.get(`/api/v1/${list}`)).json, list).to.deep.equal([]);
    }

    const unsuspended: AccountEvent = { type: 'AccountUnsuspended', data: { account_id: other.id } };
    await town.app.systemContext('spec').execute(accountStream(other.id), account, () => [unsuspended]);
    await town.waitUntilIdle();
    const after = await readAll(known);
    for (const [path, reply] of before) expect(after.get(path), path).to.deep.equal(reply);
  });

  it('is shown nowhere after posts are deleted, and breaks no endpoint', async () => {
    const known = await entangle('b');
    for (const { id } of known.otherPosts) {
      expect((await known.other.delete(`/api/v1/statuses/${id}`)).status).to.equal(200);
    }
    await town.waitUntilIdle();
    const after = await readAll(known);
    expect(failed(after)).to.deep.equal([]);
    expect(telling(after, known.words)).to.deep.equal([]);
    for (const list of ['favourites', 'bookmarks']) {
      expect((await known.reader.get(`/api/v1/${list}`)).json, list).to.deep.equal([]);
    }
    for (const { id } of known.otherPosts) {
      expect((await known.reader.get(`/api/v1/statuses/${id}`)).status).to.equal(404);
      for (const verb of ['unfavourite', 'unbookmark', 'unreblog', 'unmute']) {
        const { status } = await known.reader.post(`/api/v1/statuses/${id}/${verb}`);
        expect(status, verb).to.be.oneOf([200, 404]);
      }
    }
  });

  it('leaves no gap in a page of favourites or bookmarks', async () => {
    const author = await town.person('author');
    const fan = await town.person('fan');
    const ids: string[] = [];
    for (let number = 0; number < 6; number += 1) {
      const { id } = await make<Status>(author, '/api/v1/statuses', { status: `${number}` });
      for (const verb of ['favourite', 'bookmark']) await make(fan, `/api/v1/statuses/${id}/${verb}`);
      ids.unshift(id);
    }
    for (const gone of [1, 2]) await author.delete(`/api/v1/statuses/${ids[gone]}`);
    await town.waitUntilIdle();
    for (const list of ['favourites', 'bookmarks']) {
      const first = await fan.get<Status[]>(`/api/v1/${list}?limit=2`);
      expect(first.json.map(({ id }) => id)).to.deep.equal([ids[0], ids[3]]);
      const next = await fan.get<Status[]>(`/api/v1/${list}?${first.links['next']}`);
      expect(next.json.map(({ id }) => id)).to.deep.equal([ids[4], ids[5]]);
    }
  });
});
