import { expect } from 'chai';
import {
  decideAuthorize,
  decideFollow,
  decideMoveFollow,
  decideReject,
  decideUnfollow,
  followLimit,
  relationship,
  type FollowSettings,
} from '../../commands/relationships/index.ts';
import type { FollowFacts } from '../../queries/accounts/follow-facts.ts';
import { relationshipEvents, type RelationshipEvent } from '../../src/events/relationships.ts';
import { fold } from '../../src/kernel/decider.ts';
import { refusalCode } from '../support/refusal.ts';

const [alice, bob] = ['109500000000000001', '109500000000000002'];
const aliceToBob = { account_id: alice, target_account_id: bob };
const bobToAlice = { account_id: bob, target_account_id: alice };
const plain = { reblogs: true, notify: false, languages: null };
const facts: FollowFacts = {
  target: { suspended: false, moved: false, locked: false, local: true, domain_blocked: false },
  following: 0,
  followers: 0,
};
const locked: FollowFacts = {
  ...facts,
  target: { suspended: false, moved: false, locked: true, local: true, domain_blocked: false },
};

const given = (...events: RelationshipEvent[]) => fold(relationship, events);
const followed = (settings: Partial<FollowSettings> = {}): RelationshipEvent => ({
  type: 'AccountFollowed',
  data: { id: '1', ...aliceToBob, ...plain, ...settings },
});
const requested = (settings: Partial<FollowSettings> = {}): RelationshipEvent => ({
  type: 'FollowRequested',
  data: { id: '1', ...aliceToBob, ...plain, ...settings },
});
const follow = (
  past: RelationshipEvent[],
  settings: Partial<FollowSettings> = {},
  about: FollowFacts = facts,
): RelationshipEvent[] => decideFollow(given(...past), { id: '2', ...aliceToBob, settings }, about);

describe('Following', () => {
  it('starts with reblogs shown, no notifications, and all languages', () => {
    expect(follow([])).to.deep.equal([
      { type: 'AccountFollowed', data: { id: '2', ...aliceToBob, ...plain } },
    ]);
  });

  it('starts with the requested settings', () => {
    const settings = { reblogs: false, notify: true, languages: ['de'] };
    expect(follow([], settings)).to.deep.equal([
      { type: 'AccountFollowed', data: { id: '2', ...aliceToBob, ...settings } },
    ]);
  });

  it('sends a request to a locked account, with the settings for later', () => {
    expect(follow([], { reblogs: false }, locked)).to.deep.equal([
      { type: 'FollowRequested', data: { id: '2', ...aliceToBob, ...plain, reblogs: false } },
    ]);
  });

  it('sends a request to a remote account, whose server decides', () => {
    const remote = {
      ...facts,
      target: { suspended: false, moved: false, locked: false, local: false, domain_blocked: false },
    };
    expect(follow([], {}, remote)[0]?.type).to.equal('FollowRequested');
  });

  it('changes nothing when repeated', () => {
    expect(follow([followed()])).to.deep.equal([]);
    expect(follow([requested()], {}, locked)).to.deep.equal([]);
    expect(follow([followed({ languages: ['de'] })], { languages: ['de'] })).to.deep.equal([]);
  });

  it('changes only the given settings when repeated', () => {
    const past = followed({ notify: true, languages: ['de'] });
    expect(follow([past], { reblogs: false })).to.deep.equal([
      {
        type: 'FollowSettingsChanged',
        data: { ...aliceToBob, reblogs: false, notify: true, languages: ['de'] },
      },
    ]);
  });

  it('changes the settings of a request when repeated, also when the target is no longer locked', () => {
    expect(follow([requested()], { reblogs: false })).to.deep.equal([
      { type: 'FollowSettingsChanged', data: { ...aliceToBob, ...plain, reblogs: false } },
    ]);
  });

  it('knows the latest settings', () => {
    const change: RelationshipEvent = {
      type: 'FollowSettingsChanged',
      data: { ...aliceToBob, ...plain, reblogs: false },
    };
    expect(follow([followed(), change], { reblogs: false })).to.deep.equal([]);
  });

  it('ignores a follow in the other direction', () => {
    const back: RelationshipEvent = { type: 'AccountFollowed', data: { id: '1', ...bobToAlice, ...plain } };
    expect(follow([back])[0]?.type).to.equal('AccountFollowed');
  });

  it("is impossible for a missing or suspended account, and for the user's own", () => {
    expect(refusalCode(() => follow([], {}, { ...facts, target: undefined }))).to.equal('not_found');
    const suspended = {
      ...facts,
      target: { suspended: true, moved: false, locked: false, local: true, domain_blocked: false },
    };
    expect(refusalCode(() => follow([], {}, suspended))).to.equal('not_found');
    const oneself = { id: '2', account_id: alice, target_account_id: alice, settings: {} };
    expect(refusalCode(() => decideFollow(given(), oneself, facts))).to.equal('forbidden');
  });

  it('is refused for a moved account, even to its followers', () => {
    const moved = {
      ...facts,
      target: { suspended: false, moved: true, locked: false, local: true, domain_blocked: false },
    };
    expect(refusalCode(() => follow([], {}, moved))).to.equal('forbidden');
    expect(refusalCode(() => follow([followed()], { notify: true }, moved))).to.equal('forbidden');
  });

  it('changes nothing in a move when the follower follows the new account already, or has asked to', () => {
    const settings = { reblogs: false, notify: true, languages: ['de'] };
    const along = (...past: RelationshipEvent[]) =>
      decideMoveFollow(given(...past), { id: '2', ...aliceToBob, settings }, facts);
    expect(along()).to.deep.equal([
      { type: 'AccountFollowed', data: { id: '2', ...aliceToBob, ...settings } },
    ]);
    expect(along(followed())).to.deep.equal([]);
    expect(along(requested())).to.deep.equal([]);
  });

  it('is refused when either blocks the other, with the same text', () => {
    for (const pair of [aliceToBob, bobToAlice]) {
      const blocked: RelationshipEvent = { type: 'AccountBlocked', data: { id: '1', ...pair } };
      expect(refusalCode(() => follow([blocked]))).to.equal('forbidden');
      expect(follow([blocked, { type: 'AccountUnblocked', data: pair }])).to.have.length(1);
    }
  });

  it("is refused when the follower blocks the other one's domain", () => {
    const there = { suspended: false, moved: false, locked: false, local: false, domain_blocked: true };
    expect(refusalCode(() => follow([], {}, { ...facts, target: there }))).to.equal('forbidden');
  });

  it('is limited to 7,500, or a tenth more than the number of followers', () => {
    expect(follow([], {}, { ...facts, following: 7_499 })).to.have.length(1);
    expect(refusalCode(() => follow([], {}, { ...facts, following: 7_500 }))).to.equal('invalid');
    expect(followLimit(10_000)).to.equal(11_000);
    expect(follow([], {}, { ...facts, following: 10_999, followers: 10_000 })).to.have.length(1);
    expect(refusalCode(() => follow([], {}, { ...facts, following: 11_000, followers: 10_000 }))).to.equal(
      'invalid',
    );
  });

  it('can still change its settings at the limit', () => {
    expect(follow([followed()], { notify: true }, { ...facts, following: 9_000 })).to.have.length(1);
  });
});

describe('Unfollowing', () => {
  it('ends the follow', () => {
    expect(decideUnfollow(given(followed()), aliceToBob)).to.deep.equal([
      { type: 'AccountUnfollowed', data: { ...aliceToBob, id: '1' } },
    ]);
  });

  it('withdraws a request', () => {
    expect(decideUnfollow(given(requested()), aliceToBob)).to.deep.equal([
      { type: 'FollowRequestWithdrawn', data: { ...aliceToBob, id: '1' } },
    ]);
  });

  it('changes nothing without either', () => {
    expect(decideUnfollow(given(), aliceToBob)).to.deep.equal([]);
    expect(decideUnfollow(given(followed()), bobToAlice)).to.deep.equal([]);
    const past = given(followed(), { type: 'AccountUnfollowed', data: aliceToBob });
    expect(decideUnfollow(past, aliceToBob)).to.deep.equal([]);
  });
});

describe('Answering a follow request', () => {
  it('turns it into a follow with the same id and settings', () => {
    const authorized = decideAuthorize(given(requested({ reblogs: false })), aliceToBob);
    expect(authorized).to.deep.equal([
      { type: 'FollowRequestAuthorized', data: { id: '1', ...aliceToBob, ...plain, reblogs: false } },
    ]);
    expect(follow([requested({ reblogs: false }), ...authorized])).to.deep.equal([]);
  });

  it('can reject it, after which the account may ask again', () => {
    const rejected = decideReject(given(requested()), aliceToBob);
    expect(rejected).to.deep.equal([{ type: 'FollowRequestRejected', data: aliceToBob }]);
    expect(follow([requested(), ...rejected], {}, locked)[0]?.type).to.equal('FollowRequested');
  });

  it('needs a pending one, from that account', () => {
    for (const decide of [decideAuthorize, decideReject]) {
      expect(refusalCode(() => decide(given(), aliceToBob))).to.equal('not_found');
      expect(refusalCode(() => decide(given(followed()), aliceToBob))).to.equal('not_found');
      expect(refusalCode(() => decide(given(requested()), bobToAlice))).to.equal('not_found');
      const withdrawn: RelationshipEvent = { type: 'FollowRequestWithdrawn', data: aliceToBob };
      expect(refusalCode(() => decide(given(requested(), withdrawn), aliceToBob))).to.equal('not_found');
    }
  });
});

describe('The events of relationships', () => {
  for (const { type, version, schema, samples } of relationshipEvents) {
    it(`have, for ${type}, a sample that fits its schema`, () => {
      expect(schema.safeParse(samples[version as 1]).success).to.equal(true);
    });
  }
});
