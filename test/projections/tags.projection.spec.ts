import { expect } from 'chai';
import { StatusCreated, StatusDeleted, StatusEdited } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { featuredTags } from '#projections/featured-tags.ts';
import { tagFollows } from '#projections/tag-follows.ts';
import { tagUsage } from '#projections/tag-usage/index.ts';
import { tags } from '#projections/tags.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const ALICE = '115500000000000000';
const BOB = '115500000000000001';

const posted = (
  id: string,
  account_id: string,
  names: string[],
  { visibility = 'public', day = '2026-11-21' } = {},
): DomainEvent => ({
  type: 'StatusCreated',
  data: {
    ...StatusCreated.samples[StatusCreated.version],
    id,
    account_id,
    visibility,
    created_at: `${day}T08:00:00.000Z`,
    tags: names.map((name) => ({ name, normal: name.toLowerCase() })),
  },
});
const edited = (id: string, account_id: string, names: string[]): DomainEvent => ({
  type: 'StatusEdited',
  data: { ...StatusEdited.samples[StatusEdited.version], ...(posted(id, account_id, names).data as object) },
});
const deleted = (id: string, account_id: string, visibility = 'public'): DomainEvent => ({
  type: 'StatusDeleted',
  data: { ...StatusDeleted.samples[StatusDeleted.version], id, account_id, visibility },
});
const named = (type: string, account_id: string, name: string, id = '7'): DomainEvent => ({
  type,
  data: { id, account_id, tag: name.toLowerCase(), name },
});

describe('The read models of hashtags', function () {
  this.timeout(60_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('keep the first spelling of a hashtag, wherever batches are cut', async () => {
    const rows = await project(db, tags, [
      named('TagFollowed', ALICE, 'Cats'),
      posted('1', ALICE, ['CATS', 'Dogs']),
      posted('2', BOB, ['dogs', 'DOGS', 'Birds']),
      named('TagFeatured', ALICE, 'BIRDS'),
      named('TagFeatured', ALICE, 'Tea'),
      posted('3', ALICE, ['tea']),
      edited('3', ALICE, ['TEA', 'Milk']),
      posted('4', BOB, ['MILK']),
    ]);
    expect(rows['tags']?.map(({ tag, display_name }) => [tag, display_name])).to.have.deep.members([
      ['cats', 'Cats'],
      ['dogs', 'Dogs'],
      ['birds', 'Birds'],
      ['tea', 'Tea'],
      ['milk', 'Milk'],
    ]);
  });

  it('count uses by account and by day, wherever batches are cut', async () => {
    const rows = await project(db, tagUsage, [
      posted('1', ALICE, ['Cats', 'CATS', 'dogs']),
      posted('2', ALICE, ['cats']),
      posted('3', BOB, ['cats'], { visibility: 'unlisted' }),
      posted('4', BOB, ['cats'], { visibility: 'private' }),
      posted('5', BOB, ['cats'], { day: '2026-11-20' }),
      deleted('2', ALICE),
      posted('6', BOB, ['cats']),
      deleted('6', BOB),
      posted('7', BOB, ['birds', 'tea']),
      edited('7', BOB, ['dogs', 'tea']),
      edited('7', BOB, ['dogs']),
      deleted('4', BOB, 'private'),
      deleted('1', ALICE),
      deleted('9', ALICE),
    ]);
    expect(
      rows['tagged_statuses']?.map(({ status_id, tag, carried }) => [Number(status_id), tag, carried]),
    ).to.have.deep.members([
      [3, 'cats', true],
      [5, 'cats', true],
      [7, 'dogs', true],
      [7, 'birds', false],
      [7, 'tea', false],
    ]);
    const used = (table: string, ...columns: string[]): unknown[][] =>
      (rows[table] ?? []).map((row) => columns.map((column) => row[column]));
    expect(used('tag_usage', 'tag', 'day', 'uses', 'accounts')).to.have.deep.members([
      ['cats', '2026-11-21', 0, 0],
      ['cats', '2026-11-20', 1, 1],
      ['dogs', '2026-11-21', 0, 0],
      ['birds', '2026-11-21', 1, 1],
      ['tea', '2026-11-21', 1, 1],
    ]);
    expect(used('account_tags', 'account_id', 'tag', 'statuses_count')).to.have.deep.members([
      [ALICE, 'cats', 0],
      [ALICE, 'dogs', 0],
      [BOB, 'cats', 2],
      [BOB, 'dogs', 1],
      [BOB, 'birds', 0],
      [BOB, 'tea', 0],
    ]);
  });

  it('know the followers and featuring accounts of each, wherever batches are cut', async () => {
    const events = (verb: string): DomainEvent[] => [
      named(`Tag${verb}ed`, ALICE, 'Cats', '1'),
      named(`Tag${verb}ed`, BOB, 'cats', '2'),
      named(`TagUn${verb.toLowerCase()}ed`, ALICE, 'Cats', '1'),
      named(`Tag${verb}ed`, ALICE, 'CATS', '3'),
      named(`Tag${verb}ed`, ALICE, 'Dogs', '4'),
      named(`TagUn${verb.toLowerCase()}ed`, ALICE, 'Dogs', '4'),
    ];
    const followed = await project(db, tagFollows, events('Follow'));
    expect(followed['tag_follows']).to.have.deep.members([
      { account_id: ALICE, tag: 'cats', id: 3 },
      { account_id: BOB, tag: 'cats', id: 2 },
    ]);
    const features = events('Featur');
    const featured = await project(db, featuredTags, features);
    expect(featured['featured_tags']).to.have.deep.members([
      { account_id: ALICE, tag: 'cats', id: 3, name: 'CATS' },
      { account_id: BOB, tag: 'cats', id: 2, name: 'cats' },
    ]);
  });
});
