import { expect } from 'chai';
import { listen, type Listener } from '../streaming/support.ts';
import { describeTown, type Person } from '../support/people.ts';
import { follow, home, list, post, reblog, timeline, whileMerged } from './support.ts';

/** Mastodon's `FeedManager::REBLOG_FALLOFF`. */
const FALLOFF = 40;

describeTown('A home timeline shows a post once per forty entries', function (town) {
  this.timeout(120_000);
  let reader: Person;
  let author: Person;
  let boosters: Person[];

  before(async () => {
    author = await town.person('author');
    boosters = [];
    for (const name of ['b1', 'b2', 'b3', 'b4']) boosters.push(await town.person(name));
  });
  let readers = 0;
  beforeEach(async () => {
    readers += 1;
    reader = await town.person(`reader${readers}`);
    for (const booster of boosters) await follow(reader, booster);
  });

  const boostAll = async (id: string): Promise<string[]> => {
    const ids: string[] = [];
    for (const booster of boosters) ids.push(await reblog(booster, id));
    return ids;
  };
  const fill = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.unshift(await post(boosters[n % 2]!, `filler ${n}`));
    return ids;
  };
  /** The newest entries by fan-out on write and by fan-out on read, which must agree. */
  const newest = async (limit: number): Promise<string[]> => {
    const written = await timeline(town, reader, `/api/v1/timelines/home?limit=${limit}`);
    const merged = await whileMerged(town, reader, () =>
      timeline(town, reader, `/api/v1/timelines/home?limit=${limit}`),
    );
    expect(merged, 'merged when read').to.deep.equal(written);
    return written;
  };

  it('leaves reblogs of a post out while the post itself is near', async () => {
    await follow(reader, author);
    const before = await fill(3);
    const id = await post(author, 'boosted by everybody');
    await boostAll(id);
    const after = await fill(2);
    expect(await newest(6)).to.deep.equal([...after, id, ...before]);
  });

  it('keeps the first of several reblogs, and the next one when the first is undone', async () => {
    const before = await fill(2);
    const id = await post(author, 'boosted by everybody');
    const [first, second] = await boostAll(id);
    expect(await newest(3)).to.deep.equal([first, ...before]);
    await boosters[0]!.post(`/api/v1/statuses/${id}/unreblog`);
    expect(await newest(3)).to.deep.equal([second, ...before]);
  });

  it('shows a post again when forty entries are between', async () => {
    const id = await post(author, 'worth it twice');
    const first = await reblog(boosters[0]!, id);
    await fill(FALLOFF - 1);
    const early = await reblog(boosters[1]!, id);
    expect(await newest(40)).not.to.include(early);
    await boosters[1]!.post(`/api/v1/statuses/${id}/unreblog`);
    await fill(1);
    const late = await reblog(boosters[2]!, id);
    const page = await newest(40);
    expect(page[0]).to.equal(late);
    expect(await timeline(town, reader, `/api/v1/timelines/home?max_id=${page.at(-1)}&limit=2`)).to.include(
      first,
    );
  });

  it('pages over repeated posts in both directions without gaps or repetitions', async () => {
    const bottom = await fill(1);
    const expected = [...bottom];
    for (let n = 0; n < 6; n += 1) {
      const [first] = await boostAll(await post(author, `boosted ${n}`));
      expected.unshift(first!);
      expected.unshift(...(await fill(1)));
    }
    expect(await home(town, reader, `limit=40&since_id=${BigInt(bottom[0]!) - 1n}`)).to.deep.equal(expected);
    const down: string[] = [];
    for (let max = ''; down.length < expected.length;) {
      const page = await timeline(town, reader, `/api/v1/timelines/home?limit=3${max}`);
      down.push(...page);
      max = `&max_id=${page.at(-1)}`;
    }
    expect(down.slice(0, expected.length)).to.deep.equal(expected);
    const up: string[] = [...bottom];
    for (;;) {
      const page = await timeline(town, reader, `/api/v1/timelines/home?limit=3&min_id=${up[0]}`);
      if (page.length === 0) break;
      up.unshift(...page);
    }
    expect(up).to.deep.equal(expected);
  });

  it('shows nothing of a muted author, and a reblog again afterwards', async () => {
    const before = await fill(1);
    const [first] = await boostAll(await post(author, 'of a muted author'));
    await reader.post(`/api/v1/accounts/${author.id}/mute`);
    expect(await newest(1)).to.deep.equal(before);
    await reader.post(`/api/v1/accounts/${author.id}/unmute`);
    expect(await newest(2)).to.deep.equal([first, ...before]);
  });

  it('shows everything to a user who disables aggregation', async () => {
    const { json } = await reader.patch('/api/v1/preferences', { 'reading:aggregate:reblogs': false });
    expect(json).to.include({ 'reading:aggregate:reblogs': false });
    const ids = await boostAll(await post(author, 'boosted by everybody'));
    expect(await newest(4)).to.deep.equal(ids.reverse());
  });

  it('applies to lists, within the entries of the list', async () => {
    const id = await list(reader, {}, boosters);
    const before = await fill(1);
    const [first] = await boostAll(await post(author, 'boosted by everybody'));
    expect(await timeline(town, reader, `/api/v1/timelines/list/${id}?limit=2`)).to.deep.equal([
      first,
      ...before,
    ]);
  });

  it('applies to streams of home and lists', async () => {
    const listId = await list(reader, {}, boosters);
    await town.waitUntilIdle();
    const open: Listener[] = [
      await listen(town.url, reader.token, 'user'),
      await listen(town.url, reader.token, 'list', { list: listId }),
    ];
    const id = await post(author, 'boosted by everybody');
    const [first] = await boostAll(id);
    const [last] = await fill(1);
    for (const listener of open) {
      const heard = [(await listener.next()).payload, (await listener.next()).payload] as { id: string }[];
      expect(heard.map((each) => each.id)).to.deep.equal([first, last]);
      listener.socket.close();
    }
  });
});
