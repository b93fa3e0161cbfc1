import { expect } from 'chai';
import {
  decideFollowTag,
  decideUnfollowTag,
  MAX_TAG_FOLLOWS,
  tagFollows,
} from '../../commands/tags/tag-follows.ts';
import type { TagFollowEvent } from '../../src/events/tags.ts';
import { fold } from '../../src/kernel/decider.ts';

const ALICE = '115500000000000000';
const ID = '115500000000000010';
const cats = { name: 'Cats', normal: 'cats' };
const followed = (tag: string): TagFollowEvent => ({
  type: 'TagFollowed',
  data: { id: ID, account_id: ALICE, tag, name: tag },
});
const command = { id: ID, accountId: ALICE, tag: cats };

describe('The decisions about followed hashtags', () => {
  it('follow a hashtag once, under its normal name', () => {
    expect(decideFollowTag(fold(tagFollows, []), command)).to.deep.equal([
      { type: 'TagFollowed', data: { id: ID, account_id: ALICE, tag: 'cats', name: 'Cats' } },
    ]);
    expect(decideFollowTag(fold(tagFollows, [followed('cats')]), command)).to.deep.equal([]);
  });

  it('unfollow a followed hashtag, and nothing else', () => {
    expect(decideUnfollowTag(fold(tagFollows, [followed('cats')]), ALICE, cats)).to.deep.equal([
      { type: 'TagUnfollowed', data: { account_id: ALICE, tag: 'cats' } },
    ]);
    const gone = fold(tagFollows, [
      followed('cats'),
      { type: 'TagUnfollowed', data: { account_id: ALICE, tag: 'cats' } },
    ]);
    expect(decideUnfollowTag(gone, ALICE, cats)).to.deep.equal([]);
    expect(decideFollowTag(gone, command)).to.have.length(1);
  });

  it('refuse more than the limit, which keeps existing follows', () => {
    const full = new Set(Array.from({ length: MAX_TAG_FOLLOWS }, (_, n) => `tag${n}`));
    expect(() => decideFollowTag(full, command)).to.throw('cannot follow more than');
    expect(decideFollowTag(full, { ...command, tag: { name: 'Tag1', normal: 'tag1' } })).to.deep.equal([]);
  });
});
