import { expect } from 'chai';
import {
  decideAuthorize,
  decideFollow,
  decideMoveFollow,
  decideReject,
  decideUnfollow,
  followLimit,
  type FollowSettings,
  relationship,
} from '#commands/relationships/index.ts';
import { type RelationshipEvent, relationshipEvents } from '#events/relationships.ts';
import type { FollowFacts } from '#queries/accounts/follow-facts.ts';
import { given } from '../support/given.ts';
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
) => given(relationship, ...past).when(decideFollow, { id: '2', ...aliceToBob, settings }, about);

describe('Following', () => {
  it('starts with reblogs shown, no notifications, and all languages', () => {
    follow([]).then([{ type: 'AccountFollowed', data: { id: '2', ...aliceToBob, ...plain } }]);
  });

  it('starts with the requested settings', () => {
    const settings = { reblogs: false, notify: true, languages: ['de'] };
    follow([], settings).then([{ type: 'AccountFollowed', data: { id: '2', ...aliceToBob, ...settings } }]);
  });

  it('sends a request to a locked account, with the settings for later', () => {
    follow([], { reblogs: false }, locked).then([
      { type: 'FollowRequested', data: { id: '2', ...aliceToBob, ...plain, reblogs: false } },
    ]);
  });

  it('sends a request to a remote account, whose server decides', () => {
    const remote = {
      ...facts,
      target: { suspended: false, moved: false, locked: false, local: false, domain_blocked: false },
    };
    expect(follow([], {}, remote).decided()[0]?.type).to.equal('FollowRequested');
  });

  it('changes nothing when repeated', () => {
    follow([followed()]).then([]);
    follow([requested()], {}, locked).then([]);
    follow([followed({ languages: ['de'] })], { languages: ['de'] }).then([]);
  });

  it('changes only the given settings when repeated', () => {
    const past = followed({ notify: true, languages: ['de'] });
    follow([past], { reblogs: false }).then([
      {
        type: 'FollowSettingsChanged',
        data: { ...aliceToBob, reblogs: false, notify: true, languages: ['de'] },
      },
    ]);
  });

  it('changes the settings of a request when repeated, also when the target is no longer locked', () => {
    follow([requested()], { reblogs: false }).then([
      { type: 'FollowSettingsChanged', data: { ...aliceToBob, ...plain, reblogs: false } },
    ]);
  });

  it('knows the latest settings', () => {
    const change: RelationshipEvent = {
      type: 'FollowSettingsChanged',
      data: { ...aliceToBob, ...plain, reblogs: false },
    };
    follow([followed(), change], { reblogs: false }).then([]);
  });

  it('ignores a follow in the other direction', () => {
    const back: RelationshipEvent = { type: 'AccountFollowed', data: { id: '1', ...bobToAlice, ...plain } };
    expect(follow([back]).decided()[0]?.type).to.equal('AccountFollowed');
  });

  it("is impossible for a missing or suspended account, and for the user's own", () => {
    follow([], {}, { ...facts, target: undefined }).thenRefuses('not_found');
    const suspended = {
      ...facts,
      target: { suspended: true, moved: false, locked: false, local: true, domain_blocked: false },
    };
    follow([], {}, suspended).thenRefuses('not_found');
    const oneself = { id: '2', account_id: alice, target_account_id: alice, settings: {} };
    given(relationship).when(decideFollow, oneself, facts).thenRefuses('forbidden');
  });

  it('is refused for a moved account, even to its followers', () => {
    const moved = {
      ...facts,
      target: { suspended: false, moved: true, locked: false, local: true, domain_blocked: false },
    };
    follow([], {}, moved).thenRefuses('forbidden');
    follow([followed()], { notify: true }, moved).thenRefuses('forbidden');
  });

  it('changes nothing in a move when the follower follows the new account already, or has asked to', () => {
    const settings = { reblogs: false, notify: true, languages: ['de'] };
    const along = (...past: RelationshipEvent[]) =>
      given(relationship, ...past).when(decideMoveFollow, { id: '2', ...aliceToBob, settings }, facts);
    along().then([{ type: 'AccountFollowed', data: { id: '2', ...aliceToBob, ...settings } }]);
    along(followed()).then([]);
    along(requested()).then([]);
  });

  it('is refused when either blocks the other, with the same text', () => {
    for (const pair of [aliceToBob, bobToAlice]) {
      const blocked: RelationshipEvent = { type: 'AccountBlocked', data: { id: '1', ...pair } };
      follow([blocked]).thenRefuses('forbidden');
      expect(follow([blocked, { type: 'AccountUnblocked', data: pair }]).decided()).to.have.length(1);
    }
  });

  it("is refused when the follower blocks the other one's domain", () => {
    const there = { suspended: false, moved: false, locked: false, local: false, domain_blocked: true };
    follow([], {}, { ...facts, target: there }).thenRefuses('forbidden');
  });

  it('is limited to 7,500, or a tenth more than the number of followers', () => {
    expect(follow([], {}, { ...facts, following: 7_499 }).decided()).to.have.length(1);
    follow([], {}, { ...facts, following: 7_500 }).thenRefuses('invalid');
    expect(followLimit(10_000)).to.equal(11_000);
    expect(follow([], {}, { ...facts, following: 10_999, followers: 10_000 }).decided()).to.have.length(1);
    follow([], {}, { ...facts, following: 11_000, followers: 10_000 }).thenRefuses('invalid');
  });

  it('can still change its settings at the limit', () => {
    expect(follow([followed()], { notify: true }, { ...facts, following: 9_000 }).decided()).to.have.length(
      1,
    );
  });
});

describe('Unfollowing', () => {
  it('ends the follow', () => {
    given(relationship, followed())
      .when(decideUnfollow, aliceToBob)
      .then([{ type: 'AccountUnfollowed', data: { ...aliceToBob, id: '1' } }]);
  });

  it('withdraws a request', () => {
    given(relationship, requested())
      .when(decideUnfollow, aliceToBob)
      .then([{ type: 'FollowRequestWithdrawn', data: { ...aliceToBob, id: '1' } }]);
  });

  it('changes nothing without either', () => {
    given(relationship).when(decideUnfollow, aliceToBob).then([]);
    given(relationship, followed()).when(decideUnfollow, bobToAlice).then([]);
    const past = given(relationship, followed(), { type: 'AccountUnfollowed', data: aliceToBob });
    past.when(decideUnfollow, aliceToBob).then([]);
  });
});

describe('Answering a follow request', () => {
  it('turns it into a follow with the same id and settings', () => {
    const authorized = given(relationship, requested({ reblogs: false }))
      .when(decideAuthorize, aliceToBob)
      .decided();
    expect(authorized).to.deep.equal([
      { type: 'FollowRequestAuthorized', data: { id: '1', ...aliceToBob, ...plain, reblogs: false } },
    ]);
    follow([requested({ reblogs: false }), ...authorized]).then([]);
  });

  it('can reject it, after which the account may ask again', () => {
    const rejected = given(relationship, requested()).when(decideReject, aliceToBob).decided();
    expect(rejected).to.deep.equal([{ type: 'FollowRequestRejected', data: aliceToBob }]);
    expect(follow([requested(), ...rejected], {}, locked).decided()[0]?.type).to.equal('FollowRequested');
  });

  it('needs a pending one, from that account', () => {
    for (const decide of [decideAuthorize, decideReject]) {
      expect(refusalCode(() => decide(given(relationship).state, aliceToBob))).to.equal('not_found');
      expect(refusalCode(() => decide(given(relationship, followed()).state, aliceToBob))).to.equal(
        'not_found',
      );
      expect(refusalCode(() => decide(given(relationship, requested()).state, bobToAlice))).to.equal(
        'not_found',
      );
      const withdrawn: RelationshipEvent = { type: 'FollowRequestWithdrawn', data: aliceToBob };
      expect(
        refusalCode(() => decide(given(relationship, requested(), withdrawn).state, aliceToBob)),
      ).to.equal('not_found');
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
