import {
  decideBlock,
  decideEndorse,
  decideMoveBlock,
  decideMoveMute,
  decideMoveNote,
  decideMute,
  decideNote,
  decideRemoveFromFollowers,
  decideSever,
  decideUnblock,
  decideUnendorse,
  decideUnfollow,
  decideUnmute,
  relationship,
} from '#commands/relationships/index.ts';
import type { RelationshipEvent } from '#events/relationships.ts';
import { given } from '../support/given.ts';

const [alice, bob] = ['109500000000000001', '109500000000000002'];
const aliceToBob = { account_id: alice, target_account_id: bob };
const bobToAlice = { account_id: bob, target_account_id: alice };
const aliceToAlice = { account_id: alice, target_account_id: alice };
type Pair = typeof aliceToBob;
const plain = { reblogs: true, notify: false, languages: null };
const followed = (pair: Pair): RelationshipEvent => ({
  type: 'AccountFollowed',
  data: { id: '1', ...pair, ...plain },
});
const requested = (pair: Pair): RelationshipEvent => ({
  type: 'FollowRequested',
  data: { id: '1', ...pair, ...plain },
});
const endorsed = (pair: Pair): RelationshipEvent => ({ type: 'AccountEndorsed', data: { id: '2', ...pair } });
const blocked = (pair: Pair): RelationshipEvent => ({ type: 'AccountBlocked', data: { id: '3', ...pair } });
const muted = (expires_at: string | null = null): RelationshipEvent => ({
  type: 'AccountMuted',
  data: { id: '4', ...aliceToBob, notifications: true, expires_at },
});

describe('Blocking', () => {
  const block = (...past: RelationshipEvent[]) =>
    given(relationship, ...past).when(decideBlock, { id: '9', ...aliceToBob });
  const done: RelationshipEvent = { type: 'AccountBlocked', data: { id: '9', ...aliceToBob } };

  it('adds only the block for a stranger', () => {
    block().then([done]);
  });

  it('ends the follows of both and their endorsements of each other, in the same decision', () => {
    const past = [followed(aliceToBob), followed(bobToAlice), endorsed(aliceToBob), endorsed(bobToAlice)];
    block(...past).then([
      { type: 'AccountUnfollowed', data: { ...aliceToBob, id: '1' } },
      { type: 'AccountUnendorsed', data: aliceToBob },
      { type: 'AccountUnfollowed', data: { ...bobToAlice, id: '1' } },
      { type: 'AccountUnendorsed', data: bobToAlice },
      done,
    ]);
  });

  it("withdraws the user's request and rejects that of the other", () => {
    block(requested(aliceToBob), requested(bobToAlice)).then([
      { type: 'FollowRequestWithdrawn', data: { ...aliceToBob, id: '1' } },
      { type: 'FollowRequestRejected', data: bobToAlice },
      done,
    ]);
  });

  it('keeps mutes and notes', () => {
    const noted: RelationshipEvent = { type: 'AccountNoteSet', data: { ...aliceToBob, comment: 'loud' } };
    block(muted(), noted).then([done]);
  });

  it('changes nothing when repeated, and works in the other direction', () => {
    block(blocked(aliceToBob)).then([]);
    block(blocked(bobToAlice)).then([done]);
  });

  it("does nothing for the user's own account", () => {
    given(relationship)
      .when(decideBlock, { id: '9', ...aliceToAlice })
      .then([]);
  });

  it('extends a block of a moved account to the new one, unless that is followed or blocked already', () => {
    const along = (...past: RelationshipEvent[]) =>
      given(relationship, ...past).when(decideMoveBlock, { id: '9', ...aliceToBob });
    along().then([done]);
    along(followed(bobToAlice)).then(block(followed(bobToAlice)).decided());
    along(followed(aliceToBob)).then([]);
    along(blocked(aliceToBob)).then([]);
  });

  it('ends by unblocking, which restores no follow', () => {
    given(relationship, followed(aliceToBob), ...block(followed(aliceToBob)).decided())
      .when(decideUnblock, aliceToBob)
      .then([{ type: 'AccountUnblocked', data: { ...aliceToBob, id: '9' } }]);
    given(relationship).when(decideUnblock, aliceToBob).then([]);
    given(relationship, blocked(bobToAlice)).when(decideUnblock, aliceToBob).then([]);
  });
});

describe('Muting', () => {
  const now = '2026-11-21T08:00:00.000Z';
  const later = '2026-11-21T09:00:00.000Z';
  const mute = (past: RelationshipEvent[], terms = {}) =>
    given(relationship, ...past).when(decideMute, {
      id: '9',
      ...aliceToBob,
      notifications: true,
      expires_at: null,
      now,
      ...terms,
    });

  it('records the duration, and whether notifications are muted', () => {
    mute([], { notifications: false, expires_at: later }).then([
      { type: 'AccountMuted', data: { id: '9', ...aliceToBob, notifications: false, expires_at: later } },
    ]);
  });

  it('changes the terms and keeps the id when repeated', () => {
    mute([muted()]).then([]);
    mute([muted()], { expires_at: later }).then([
      { type: 'AccountMuted', data: { id: '4', ...aliceToBob, notifications: true, expires_at: later } },
    ]);
    mute([muted(later)]).then([
      { type: 'AccountMuted', data: { id: '4', ...aliceToBob, notifications: true, expires_at: null } },
    ]);
  });

  it('starts again when a mute has expired', () => {
    mute([muted(now)]).then([
      { type: 'AccountMuted', data: { id: '9', ...aliceToBob, notifications: true, expires_at: null } },
    ]);
  });

  it("does nothing for the user's own account", () => {
    mute([], aliceToAlice).then([]);
  });

  it('extends a mute of a moved account to the new one, unless that is followed or muted already', () => {
    const terms = { id: '9', ...aliceToBob, notifications: false, expires_at: later };
    const along = (...past: RelationshipEvent[]) =>
      given(relationship, ...past).when(decideMoveMute, { ...terms, now });
    const done = { type: 'AccountMuted', data: terms };
    along().then([done]);
    along(muted(now)).then([done]);
    along(muted()).then([]);
    along(followed(aliceToBob)).then([]);
  });

  it('ends by unmuting', () => {
    given(relationship, muted())
      .when(decideUnmute, aliceToBob)
      .then([{ type: 'AccountUnmuted', data: aliceToBob }]);
    given(relationship).when(decideUnmute, aliceToBob).then([]);
    const over: RelationshipEvent = { type: 'AccountUnmuted', data: aliceToBob };
    given(relationship, muted(), over).when(decideUnmute, aliceToBob).then([]);
  });
});

describe('Endorsing', () => {
  const endorse = (...past: RelationshipEvent[]) =>
    given(relationship, ...past).when(decideEndorse, { id: '9', ...aliceToBob });

  it('needs a follow; a request does not suffice', () => {
    for (const past of [[], [requested(aliceToBob)], [followed(bobToAlice)]]) {
      endorse(...past).thenRefuses('invalid', /You must be already following/);
    }
    endorse(followed(aliceToBob)).then([{ type: 'AccountEndorsed', data: { id: '9', ...aliceToBob } }]);
  });

  it("is impossible for the user's own account", () => {
    given(relationship)
      .when(decideEndorse, { id: '9', ...aliceToAlice })
      .thenRefuses('invalid', /already following/);
  });

  it('changes nothing when repeated', () => {
    endorse(followed(aliceToBob), endorsed(aliceToBob)).then([]);
  });

  it('ends by unendorsing, and with the follow', () => {
    const past = given(relationship, followed(aliceToBob), endorsed(aliceToBob));
    past.when(decideUnendorse, aliceToBob).then([{ type: 'AccountUnendorsed', data: aliceToBob }]);
    given(relationship, followed(aliceToBob)).when(decideUnendorse, aliceToBob).then([]);
    past.when(decideUnfollow, aliceToBob).then([
      { type: 'AccountUnfollowed', data: { ...aliceToBob, id: '1' } },
      { type: 'AccountUnendorsed', data: aliceToBob },
    ]);
  });
});

describe('A private note', () => {
  const note = (comment: string, ...past: RelationshipEvent[]) =>
    given(relationship, ...past).when(decideNote, { ...aliceToBob, comment });
  const set = (comment: string): RelationshipEvent => ({
    type: 'AccountNoteSet',
    data: { ...aliceToBob, comment },
  });

  it('is set, changed and removed', () => {
    note('one').then([set('one')]);
    note('two', set('one')).then([set('two')]);
    note('', set('one')).then([set('')]);
    note(' \n', set('one')).then([set('')]);
  });

  it('stores nothing when it is unchanged', () => {
    note('one', set('one')).then([]);
    note('').then([]);
    note('', set('one'), set('')).then([]);
  });

  it('moves with the account: before an existing note, once, and if there is room for both', () => {
    const along = (comment: string, ...past: RelationshipEvent[]) =>
      given(relationship, ...past).when(decideMoveNote, { ...aliceToBob, comment });
    along('old').then([set('old')]);
    along('old', set('new')).then([set('old\n\nnew')]);
    for (const told of ['old', 'old\n\nnew']) along('old', set(told)).then([]);
    along('old', set('x'.repeat(1_995))).then([set(`old\n\n${'x'.repeat(1_995)}`)]);
    along('old', set('x'.repeat(1_996))).then([]);
  });
});

describe('Removing a follower', () => {
  const unfollowed: RelationshipEvent = { type: 'AccountUnfollowed', data: { ...bobToAlice, id: '1' } };

  it("ends their follow, not the user's own", () => {
    const past = given(relationship, followed(aliceToBob), followed(bobToAlice));
    past.when(decideRemoveFromFollowers, aliceToBob).then([unfollowed]);
    given(relationship, followed(aliceToBob)).when(decideRemoveFromFollowers, aliceToBob).then([]);
  });

  it('leaves a request unanswered', () => {
    given(relationship, requested(bobToAlice)).when(decideRemoveFromFollowers, aliceToBob).then([]);
  });
});

describe('Severing two accounts', () => {
  it('ends follows in both directions, with everything that depends on them', () => {
    const past = given(relationship, followed(aliceToBob), followed(bobToAlice), {
      type: 'AccountEndorsed',
      data: { id: '3', ...aliceToBob },
    });
    past.when(decideSever, aliceToBob).then([
      { type: 'AccountUnfollowed', data: { ...aliceToBob, id: '1' } },
      { type: 'AccountUnendorsed', data: aliceToBob },
      { type: 'AccountUnfollowed', data: { ...bobToAlice, id: '1' } },
    ]);
  });

  it("withdraws the user's request, and rejects the other one", () => {
    const past = given(relationship, requested(aliceToBob), requested(bobToAlice));
    past.when(decideSever, aliceToBob).then([
      { type: 'FollowRequestWithdrawn', data: { ...aliceToBob, id: '1' } },
      { type: 'FollowRequestRejected', data: bobToAlice },
    ]);
  });

  it('does nothing for strangers', () => {
    given(relationship).when(decideSever, aliceToBob).then([]);
  });
});
