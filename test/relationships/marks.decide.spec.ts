import { expect } from 'chai';
import {
  decideBlock,
  decideMoveBlock,
  decideEndorse,
  decideMute,
  decideMoveMute,
  decideNote,
  decideMoveNote,
  decideRemoveFromFollowers,
  decideSever,
  decideUnblock,
  decideUnendorse,
  decideUnfollow,
  decideUnmute,
  relationship,
} from '../../commands/relationships/index.ts';
import type { RelationshipEvent } from '../../src/events/relationships.ts';
import { fold } from '../../src/kernel/decider.ts';

const [alice, bob] = ['109500000000000001', '109500000000000002'];
const aliceToBob = { account_id: alice, target_account_id: bob };
const bobToAlice = { account_id: bob, target_account_id: alice };
const aliceToAlice = { account_id: alice, target_account_id: alice };
type Pair = typeof aliceToBob;
const plain = { reblogs: true, notify: false, languages: null };

const given = (...events: RelationshipEvent[]) => fold(relationship, events);
const followed = (pair: Pair): RelationshipEvent => ({
  type: 'AccountFollowed',
  data: { id: '1', ...pair, ...plain },
});
const requested = (pair: Pair): RelationshipEvent => ({
  type: 'FollowRequested',
  data: { id: '1', ...pair, ...plain },
});
const endorsed = (pair: Pair): RelationshipEvent => ({
  type: 'AccountEndorsed',
  data: { id: '2', ...pair },
});
const blocked = (pair: Pair): RelationshipEvent => ({
  type: 'AccountBlocked',
  data: { id: '3', ...pair },
});
const muted = (expires_at: string | null = null): RelationshipEvent => ({
  type: 'AccountMuted',
  data: { id: '4', ...aliceToBob, notifications: true, expires_at },
});

describe('Blocking', () => {
  const block = (...past: RelationshipEvent[]) => decideBlock(given(...past), { id: '9', ...aliceToBob });
  const done: RelationshipEvent = { type: 'AccountBlocked', data: { id: '9', ...aliceToBob } };

  it('adds only the block for a stranger', () => {
    expect(block()).to.deep.equal([done]);
  });

  it('ends the follows of both and their endorsements of each other, in the same decision', () => {
    const past = [followed(aliceToBob), followed(bobToAlice), endorsed(aliceToBob), endorsed(bobToAlice)];
    expect(block(...past)).to.deep.equal([
      { type: 'AccountUnfollowed', data: { ...aliceToBob, id: '1' } },
      { type: 'AccountUnendorsed', data: aliceToBob },
      { type: 'AccountUnfollowed', data: { ...bobToAlice, id: '1' } },
      { type: 'AccountUnendorsed', data: bobToAlice },
      done,
    ]);
  });

  it("withdraws the user's request and rejects that of the other", () => {
    expect(block(requested(aliceToBob), requested(bobToAlice))).to.deep.equal([
      { type: 'FollowRequestWithdrawn', data: { ...aliceToBob, id: '1' } },
      { type: 'FollowRequestRejected', data: bobToAlice },
      done,
    ]);
  });

  it('keeps mutes and notes', () => {
    const noted: RelationshipEvent = { type: 'AccountNoteSet', data: { ...aliceToBob, comment: 'loud' } };
    expect(block(muted(), noted)).to.deep.equal([done]);
  });

  it('changes nothing when repeated, and works in the other direction', () => {
    expect(block(blocked(aliceToBob))).to.deep.equal([]);
    expect(block(blocked(bobToAlice))).to.deep.equal([done]);
  });

  it("does nothing for the user's own account", () => {
    expect(decideBlock(given(), { id: '9', ...aliceToAlice })).to.deep.equal([]);
  });

  it('extends a block of a moved account to the new one, unless that is followed or blocked already', () => {
    const along = (...past: RelationshipEvent[]) =>
      decideMoveBlock(given(...past), { id: '9', ...aliceToBob });
    expect(along()).to.deep.equal([done]);
    expect(along(followed(bobToAlice))).to.deep.equal(block(followed(bobToAlice)));
    expect(along(followed(aliceToBob))).to.deep.equal([]);
    expect(along(blocked(aliceToBob))).to.deep.equal([]);
  });

  it('ends by unblocking, which restores no follow', () => {
    expect(
      decideUnblock(given(followed(aliceToBob), ...block(followed(aliceToBob))), aliceToBob),
    ).to.deep.equal([{ type: 'AccountUnblocked', data: { ...aliceToBob, id: '9' } }]);
    expect(decideUnblock(given(), aliceToBob)).to.deep.equal([]);
    expect(decideUnblock(given(blocked(bobToAlice)), aliceToBob)).to.deep.equal([]);
  });
});

describe('Muting', () => {
  const now = '2026-11-21T08:00:00.000Z';
  const later = '2026-11-21T09:00:00.000Z';
  const mute = (past: RelationshipEvent[], terms = {}) =>
    decideMute(given(...past), {
      id: '9',
      ...aliceToBob,
      notifications: true,
      expires_at: null,
      now,
      ...terms,
    });

  it('records the duration, and whether notifications are muted', () => {
    expect(mute([], { notifications: false, expires_at: later })).to.deep.equal([
      { type: 'AccountMuted', data: { id: '9', ...aliceToBob, notifications: false, expires_at: later } },
    ]);
  });

  it('changes the terms and keeps the id when repeated', () => {
    expect(mute([muted()])).to.deep.equal([]);
    expect(mute([muted()], { expires_at: later })).to.deep.equal([
      { type: 'AccountMuted', data: { id: '4', ...aliceToBob, notifications: true, expires_at: later } },
    ]);
    expect(mute([muted(later)])).to.deep.equal([
      { type: 'AccountMuted', data: { id: '4', ...aliceToBob, notifications: true, expires_at: null } },
    ]);
  });

  it('starts again when a mute has expired', () => {
    expect(mute([muted(now)])).to.deep.equal([
      { type: 'AccountMuted', data: { id: '9', ...aliceToBob, notifications: true, expires_at: null } },
    ]);
  });

  it("does nothing for the user's own account", () => {
    expect(mute([], aliceToAlice)).to.deep.equal([]);
  });

  it('extends a mute of a moved account to the new one, unless that is followed or muted already', () => {
    const terms = { id: '9', ...aliceToBob, notifications: false, expires_at: later };
    const along = (...past: RelationshipEvent[]) => decideMoveMute(given(...past), { ...terms, now });
    const done = { type: 'AccountMuted', data: terms };
    expect(along()).to.deep.equal([done]);
    expect(along(muted(now)), 'the last one has lapsed').to.deep.equal([done]);
    expect(along(muted())).to.deep.equal([]);
    expect(along(followed(aliceToBob))).to.deep.equal([]);
  });

  it('ends by unmuting', () => {
    expect(decideUnmute(given(muted()), aliceToBob)).to.deep.equal([
      { type: 'AccountUnmuted', data: aliceToBob },
    ]);
    expect(decideUnmute(given(), aliceToBob)).to.deep.equal([]);
    const over: RelationshipEvent = { type: 'AccountUnmuted', data: aliceToBob };
    expect(decideUnmute(given(muted(), over), aliceToBob)).to.deep.equal([]);
  });
});

describe('Endorsing', () => {
  const endorse = (...past: RelationshipEvent[]) => decideEndorse(given(...past), { id: '9', ...aliceToBob });

  it('needs a follow; a request does not suffice', () => {
    for (const past of [[], [requested(aliceToBob)], [followed(bobToAlice)]]) {
      expect(() => endorse(...past))
        .to.throw('You must be already following')
        .with.property('code', 'invalid');
    }
    expect(endorse(followed(aliceToBob))).to.deep.equal([
      { type: 'AccountEndorsed', data: { id: '9', ...aliceToBob } },
    ]);
  });

  it("is impossible for the user's own account", () => {
    expect(() => decideEndorse(given(), { id: '9', ...aliceToAlice })).to.throw('already following');
  });

  it('changes nothing when repeated', () => {
    expect(endorse(followed(aliceToBob), endorsed(aliceToBob))).to.deep.equal([]);
  });

  it('ends by unendorsing, and with the follow', () => {
    const past = given(followed(aliceToBob), endorsed(aliceToBob));
    expect(decideUnendorse(past, aliceToBob)).to.deep.equal([
      { type: 'AccountUnendorsed', data: aliceToBob },
    ]);
    expect(decideUnendorse(given(followed(aliceToBob)), aliceToBob)).to.deep.equal([]);
    expect(decideUnfollow(past, aliceToBob)).to.deep.equal([
      { type: 'AccountUnfollowed', data: { ...aliceToBob, id: '1' } },
      { type: 'AccountUnendorsed', data: aliceToBob },
    ]);
  });
});

describe('A private note', () => {
  const note = (comment: string, ...past: RelationshipEvent[]) =>
    decideNote(given(...past), { ...aliceToBob, comment });
  const set = (comment: string): RelationshipEvent => ({
    type: 'AccountNoteSet',
    data: { ...aliceToBob, comment },
  });

  it('is set, changed and removed', () => {
    expect(note('one')).to.deep.equal([set('one')]);
    expect(note('two', set('one'))).to.deep.equal([set('two')]);
    expect(note('', set('one'))).to.deep.equal([set('')]);
    expect(note(' \n', set('one'))).to.deep.equal([set('')]);
  });

  it('stores nothing when it is unchanged', () => {
    expect(note('one', set('one'))).to.deep.equal([]);
    expect(note('')).to.deep.equal([]);
    expect(note('', set('one'), set(''))).to.deep.equal([]);
  });

  it('moves with the account: before an existing note, once, and if there is room for both', () => {
    const along = (comment: string, ...past: RelationshipEvent[]) =>
      decideMoveNote(given(...past), { ...aliceToBob, comment });
    expect(along('old')).to.deep.equal([set('old')]);
    expect(along('old', set('new'))).to.deep.equal([set('old\n\nnew')]);
    for (const told of ['old', 'old\n\nnew']) expect(along('old', set(told))).to.deep.equal([]);
    expect(along('old', set('x'.repeat(1_995)))).to.deep.equal([set(`old\n\n${'x'.repeat(1_995)}`)]);
    expect(along('old', set('x'.repeat(1_996)))).to.deep.equal([]);
  });
});

describe('Removing a follower', () => {
  const unfollowed: RelationshipEvent = { type: 'AccountUnfollowed', data: { ...bobToAlice, id: '1' } };

  it("ends their follow, not the user's own", () => {
    const past = given(followed(aliceToBob), followed(bobToAlice));
    expect(decideRemoveFromFollowers(past, aliceToBob)).to.deep.equal([unfollowed]);
    expect(decideRemoveFromFollowers(given(followed(aliceToBob)), aliceToBob)).to.deep.equal([]);
  });

  it('leaves a request unanswered', () => {
    expect(decideRemoveFromFollowers(given(requested(bobToAlice)), aliceToBob)).to.deep.equal([]);
  });
});

describe('Severing two accounts', () => {
  it('ends follows in both directions, with everything that depends on them', () => {
    const past = given(followed(aliceToBob), followed(bobToAlice), {
      type: 'AccountEndorsed',
      data: { id: '3', ...aliceToBob },
    });
    expect(decideSever(past, aliceToBob)).to.deep.equal([
      { type: 'AccountUnfollowed', data: { ...aliceToBob, id: '1' } },
      { type: 'AccountUnendorsed', data: aliceToBob },
      { type: 'AccountUnfollowed', data: { ...bobToAlice, id: '1' } },
    ]);
  });

  it("withdraws the user's request, and rejects the other one", () => {
    const past = given(requested(aliceToBob), requested(bobToAlice));
    expect(decideSever(past, aliceToBob)).to.deep.equal([
      { type: 'FollowRequestWithdrawn', data: { ...aliceToBob, id: '1' } },
      { type: 'FollowRequestRejected', data: bobToAlice },
    ]);
  });

  it('does nothing for strangers', () => {
    expect(decideSever(given(), aliceToBob)).to.deep.equal([]);
  });
});
