import { expect } from 'chai';
import { decideAnswer, decideRemoteFollow, relationship } from '#commands/relationships/index.ts';
import type { RelationshipEvent } from '#events/relationships.ts';
import type { FollowFacts } from '#queries/accounts/follow-facts.ts';
import { given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const [far, alice] = ['109500000000000001', '109500000000000002'];
const pair = { account_id: far, target_account_id: alice };
const back = { account_id: alice, target_account_id: far };
const plain = { reblogs: true, notify: false, languages: null };
const uri = 'https://far.example/follows/1';
const other = 'https://far.example/follows/2';
const open: FollowFacts = {
  target: { suspended: false, moved: false, locked: false, local: true, domain_blocked: false },
  following: 1_000_000,
  followers: 0,
};
const facts = (target: Partial<NonNullable<FollowFacts['target']>>): FollowFacts => ({
  ...open,
  target: { ...(open.target as NonNullable<FollowFacts['target']>), ...target },
});
const follow = (past: RelationshipEvent[], name: string | null = uri, about = open) =>
  given(relationship, ...past).when(decideRemoteFollow, { id: '2', ...pair, uri: name }, about);
const followed: RelationshipEvent = { type: 'AccountFollowed', data: { id: '1', ...pair, ...plain, uri } };
const requested: RelationshipEvent = { type: 'FollowRequested', data: { id: '1', ...pair, ...plain, uri } };
const rejected: RelationshipEvent = { type: 'FollowRequestRejected', data: pair };
const blocked: RelationshipEvent = { type: 'AccountBlocked', data: { id: '3', ...back } };

describe('A follow from another server', () => {
  it('is recorded under its URI there, however many accounts its account follows', () => {
    follow([]).then([{ type: 'AccountFollowed', data: { id: '2', ...pair, ...plain, uri } }]);
    follow([], null).then([{ type: 'AccountFollowed', data: { id: '2', ...pair, ...plain } }]);
    expect(
      follow([], uri, facts({ locked: true }))
        .decided()
        .map(({ type }) => type),
    ).deep.equal(['FollowRequested']);
  });

  it('is not recorded twice; another URI of it is stored', () => {
    for (const past of [[followed], [requested]]) {
      follow(past).then([]);
      follow(past, null).then([]);
      const renamed = follow(past, other).decided();
      expect(renamed).deep.equal([
        { type: 'FollowSettingsChanged', data: { ...pair, ...plain, uri: other } },
      ]);
      follow([...past, ...renamed], other).then([]);
    }
    const authorized: RelationshipEvent = {
      type: 'FollowRequestAuthorized',
      data: { id: '1', ...pair, ...plain },
    };
    follow([requested, authorized]).then([]);
  });

  it('is rejected when it is unwelcome, once for each URI', () => {
    const down = ['FollowRequested', 'FollowRequestRejected'];
    expect(
      follow([blocked])
        .decided()
        .map(({ type }) => type),
    ).deep.equal(down);
    expect(
      follow([blocked], null)
        .decided()
        .map(({ type }) => type),
    ).deep.equal(down);
    expect(
      follow([], uri, facts({ domain_blocked: true }))
        .decided()
        .map(({ type }) => type),
    ).deep.equal(down);
    expect(
      follow([], uri, facts({ moved: true }))
        .decided()
        .map(({ type }) => type),
    ).deep.equal(down);
    follow([blocked, ...follow([blocked]).decided()]).then([]);
    expect(
      follow([blocked, ...follow([blocked]).decided()], other)
        .decided()
        .map(({ type }) => type),
    ).deep.equal(down);
    // A rejected follower may ask again under the same URI.
    expect(
      follow([requested, rejected])
        .decided()
        .map(({ type }) => type),
    ).deep.equal(['AccountFollowed']);
  });

  it('is refused without a follower, and when the follower blocks the target', () => {
    const mine: RelationshipEvent = { type: 'AccountBlocked', data: { id: '3', ...pair } };
    expect(refusalCode(() => follow([mine]).decided())).equal('forbidden');
    expect(refusalCode(() => follow([], uri, { ...open, target: undefined }).decided())).equal('not_found');
    expect(refusalCode(() => follow([], uri, facts({ suspended: true })).decided())).equal('not_found');
  });
});

describe('An answer from another server', () => {
  const answer = (past: RelationshipEvent[], what: 'accept' | 'reject') =>
    given(relationship, ...past)
      .when(decideAnswer, pair, what)
      .decided()
      .map(({ type }) => type);

  it('counts for the pending request only (CVE-2025-30741)', () => {
    expect(answer([requested], 'accept')).deep.equal(['FollowRequestAuthorized']);
    expect(answer([requested], 'reject')).deep.equal(['FollowRequestRejected']);
    expect(answer([followed], 'accept')).deep.equal([]);
    expect(answer([followed], 'reject')).deep.equal(['AccountUnfollowed']);
    const withdrawn: RelationshipEvent = { type: 'FollowRequestWithdrawn', data: pair };
    for (const past of [[], [requested, withdrawn], [requested, rejected]]) {
      expect(answer(past, 'accept')).deep.equal([]);
      expect(answer(past, 'reject')).deep.equal([]);
    }
  });
});
