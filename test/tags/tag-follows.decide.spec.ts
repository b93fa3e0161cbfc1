import { expect } from 'chai';
import {
  decideFollowTag,
  decideUnfollowTag,
  MAX_TAG_FOLLOWS,
  tagFollows,
} from '#commands/tags/tag-follows.ts';
import type { TagFollowEvent } from '#events/tags.ts';
import { given } from '../support/given.ts';

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
    given(tagFollows)
      .when(decideFollowTag, command)
      .then([{ type: 'TagFollowed', data: { id: ID, account_id: ALICE, tag: 'cats', name: 'Cats' } }]);
    given(tagFollows, followed('cats')).when(decideFollowTag, command).then([]);
  });

  it('unfollow a followed hashtag, and nothing else', () => {
    given(tagFollows, followed('cats'))
      .when(decideUnfollowTag, ALICE, cats)
      .then([{ type: 'TagUnfollowed', data: { account_id: ALICE, tag: 'cats' } }]);
    const gone = given(tagFollows, followed('cats'), {
      type: 'TagUnfollowed',
      data: { account_id: ALICE, tag: 'cats' },
    });
    gone.when(decideUnfollowTag, ALICE, cats).then([]);
    expect(gone.when(decideFollowTag, command).decided()).to.have.length(1);
  });

  it('refuse more than the limit, which keeps existing follows', () => {
    const full = new Set(Array.from({ length: MAX_TAG_FOLLOWS }, (_, n) => `tag${n}`));
    expect(() => decideFollowTag(full, command)).to.throw('cannot follow more than');
    expect(decideFollowTag(full, { ...command, tag: { name: 'Tag1', normal: 'tag1' } })).to.deep.equal([]);
  });
});
