import { expect } from 'chai';
import { decideGone, decideRemoteMove, decideRemoteRedirect } from '../../commands/federation/moves.ts';
import { decideRemoteEdit, decideRemotePollResult } from '../../commands/federation/posts.ts';
import { decideRemoteVote } from '../../commands/federation/interactions.ts';
import { account } from '../../commands/accounts/index.ts';
import { vote, type PollFacts } from '../../commands/polls.ts';
import { status } from '../../commands/statuses/index.ts';
import { emptyProfile, type AccountEvent } from '../../src/events/accounts.ts';
import type { PollEvent } from '../../src/events/polls.ts';
import {
  StatusCreated,
  type StatusContent,
  type StatusData,
  type StatusEvent,
} from '../../src/events/statuses.ts';
import { fold } from '../../src/kernel/decider.ts';
import { refusalCode } from '../support/refusal.ts';

const sample = StatusCreated.samples[2] as unknown as StatusData;
const picture = (id: string, url: string) => ({
  ...{ id, type: 'image' as const, file: url, preview: url, remote_url: url, meta: null },
  ...{ description: null, blurhash: null },
});
const data: StatusData = {
  ...sample,
  ...{ local: false, text: null, media: [picture('7', 'https://far.example/a.png')] },
};
const own = { id: data.id, accountId: data.account_id };
const created: StatusEvent = { type: 'StatusCreated', data };
const { text, content, spoiler_text, sensitive, language, mentions, tags, media, poll } = data;
const same: StatusContent = { text, content, spoiler_text, sensitive, language, mentions, tags, media, poll };
const editedAt = '2026-11-21T09:00:00.000Z';
const edit = (past: StatusEvent[], changes: Partial<StatusContent>, more = {}) =>
  decideRemoteEdit(fold(status, past), {
    ...{ ...own, editId: '900', editedAt, content: { ...same, ...changes } },
    ...more,
  });

describe('An edit by another server of its own post', () => {
  it('records StatusEdited only when the content differs', () => {
    expect(edit([created], {})).deep.equal([]);
    const [event] = edit([created], { content: '<p>Crows</p>' });
    expect(event).deep.equal({
      type: 'StatusEdited',
      data: { ...data, content: '<p>Crows</p>', edit_id: '900', edited_at: editedAt },
    });
  });

  it('keeps the ids of unchanged files and of a poll with the same options', () => {
    const fresh = { media: [picture('8', 'https://far.example/a.png')], poll: poll && { ...poll, id: '9' } };
    expect(edit([created], fresh)).deep.equal([]);
    const later = { ...fresh, poll: poll && { ...poll, id: '9', expires_at: null } };
    const [event] = edit([created], later);
    expect((event?.data as StatusData).poll).deep.equal({ ...poll, expires_at: null });
    const [asked] = edit([created], { poll: poll && { ...poll, id: '9', options: ['Other'] } });
    expect((asked?.data as StatusData).poll).deep.include({ id: '9' });
  });

  it("requires the post's own remote author, an existing post and a newer date", () => {
    const changes = { content: '<p>Crows</p>' };
    expect(edit([], changes)).deep.equal([]);
    expect(edit([created], changes, { accountId: '1' })).deep.equal([]);
    expect(edit([{ ...created, data: { ...data, local: true } }], changes)).deep.equal([]);
    const { id, account_id, visibility, in_reply_to_id } = data;
    const deleted: StatusEvent = {
      type: 'StatusDeleted',
      data: { id, account_id, visibility, in_reply_to_id },
    };
    expect(edit([created, deleted], changes)).deep.equal([]);
    const first = edit([created], changes);
    expect(edit([created, ...first], { content: 'x' }, { editedAt: '2026-11-21T08:59:59.000Z' })).deep.equal(
      [],
    );
    expect(
      edit([created, ...first], { content: 'x' }, { editedAt: '2026-11-21T09:00:01.000Z' }),
    ).to.have.length(1);
  });

  it('records new poll totals, and only for a poll with as many options', () => {
    const tally = (past: StatusEvent[], votes: number[], voters = 0) =>
      decideRemotePollResult(fold(status, past), own, { votes, voters });
    expect(tally([created], [0, 0])).deep.equal([]);
    const told = tally([created], [1, 2], 3);
    expect(told).deep.equal([
      {
        type: 'PollTallied',
        data: { id: data.id, account_id: data.account_id, poll_id: poll?.id, votes: [1, 2], voters: 3 },
      },
    ]);
    expect(tally([created, ...told], [1, 2], 3)).deep.equal([]);
    expect(tally([created, ...told], [0, 0])).to.have.length(1);
    expect(tally([created], [1, 2, 3])).deep.equal([]);
    expect(tally([{ ...created, data: { ...data, poll: null } }], [])).deep.equal([]);
  });
});

describe('A vote from another server', () => {
  const facts = (multiple: boolean): PollFacts => ({
    ...{
      poll_round: '5',
      status_id: '6',
      poll_account_id: '7',
      poll_options: '["a","0","-1"]',
      poll_multiple: multiple,
    },
    ...{ poll_expires_at: null, poll_expired: false },
  });
  const cast = (past: PollEvent[], title: string, multiple = true) =>
    decideRemoteVote(fold(vote, past), { id: '1', now: editedAt, accountId: '2', title }, facts(multiple));

  it('counts for the option with that title, not for its index', () => {
    expect(cast([], '0')[0]?.data.choices).deep.equal([1]);
    expect(cast([], '-1')[0]?.data.choices).deep.equal([2]);
    expect(cast([], 'a')[0]?.data).not.to.have.property('more');
    expect(cast([], '1')).deep.equal([]);
  });

  it('refuses a second choice in a single-choice poll and adds one in a multiple-choice poll', () => {
    const first = cast([], 'a');
    expect(cast(first, 'a')).deep.equal([]);
    expect(cast(first, '0')[0]?.data).deep.include({ choices: [1], more: true });
    expect(refusalCode(() => cast(first, '0', false))).equal('invalid');
  });

  it("marks a stranger's vote with its site, and refuses it once strangers reach 25 and half of the voters", () => {
    const ballot = { id: '1', now: editedAt, accountId: '2', title: 'a' };
    const counted = (voters: number, strangers: number, past: PollEvent[] = []) =>
      decideRemoteVote(
        fold(vote, past),
        { ...ballot, stranger: { site: 'far.example', voters, strangers } },
        facts(true),
      );
    expect(counted(24, 24)[0]?.data).deep.include({ stranger_of: 'far.example' });
    expect(refusalCode(() => counted(25, 25))).equal('forbidden');
    expect(counted(100, 49)).to.have.length(1);
    expect(refusalCode(() => counted(100, 50))).equal('forbidden');
    expect(counted(25, 25, cast([], '0'))[0]?.data, 'another choice of one voter').to.not.have.property(
      'stranger_of',
    );
  });
});

describe('A remote account', () => {
  const made = (changes: object = {}): AccountEvent => ({
    type: 'AccountCreated',
    data: {
      ...{ id: '1', username: 'far', domain: 'far.example', uri: 'https://far.example/1' },
      ...{ url: 'https://far.example/1', created_at: editedAt, ...emptyProfile },
      ...changes,
    },
  });
  const given = (...events: AccountEvent[]) => fold(account, events);
  const suspended: AccountEvent = { type: 'AccountSuspended', data: { account_id: '1' } };

  it('moves once to each target, at most every 30 days, and never while suspended, gone or local', () => {
    const move = (past: AccountEvent[], targetId = '2', movedAt = editedAt) =>
      decideRemoteMove(given(...past), { targetId, movedAt });
    const first = move([made()]);
    expect(first).deep.equal([
      {
        type: 'AccountMoved',
        data: { account_id: '1', target_account_id: '2', moved_at: editedAt, with_followers: true },
      },
    ]);
    expect(move([made(), ...first])).deep.equal([]);
    const cancelled: AccountEvent = { type: 'AccountMoveCancelled', data: { account_id: '1' } };
    for (const past of [[], [cancelled]]) {
      expect(move([made(), ...first, ...past], '3', '2026-12-21T08:59:59.999Z')).deep.equal([]);
      expect(move([made(), ...first, ...past], '3', '2026-12-21T09:00:00.000Z')).to.have.length(1);
    }
    expect(move([made()], '1')).deep.equal([]);
    for (const past of [
      [],
      [made({ domain: null })],
      [made(), suspended],
      [made(), ...decideGone(given(made()))],
    ]) {
      expect(move(past)).deep.equal([]);
    }
  });

  it('redirects without followers, changes the redirect and cancels it', () => {
    const lead = (past: AccountEvent[], targetId: string | null) =>
      decideRemoteRedirect(given(...past), { targetId, movedAt: editedAt });
    const to = (target_account_id: string, with_followers: boolean): AccountEvent => ({
      type: 'AccountMoved',
      data: { account_id: '1', target_account_id, moved_at: editedAt, with_followers },
    });
    expect(lead([made()], '2')).deep.equal([to('2', false)]);
    for (const with_followers of [true, false]) {
      const past = [made(), to('2', with_followers)];
      expect(lead(past, '2')).deep.equal([]);
      expect(lead(past, '3')).deep.equal([to('3', false)]);
      expect(lead(past, null)).deep.equal([{ type: 'AccountMoveCancelled', data: { account_id: '1' } }]);
    }
    // Servers usually send the actor's `movedTo` before the Move activity.
    const move = { targetId: '2', movedAt: editedAt };
    expect(decideRemoteMove(given(made(), to('2', false)), move)).deep.equal([to('2', true)]);
    expect(lead([made()], null)).deep.equal([]);
    for (const past of [[], [made({ domain: null })], [made(), suspended]]) {
      expect(lead(past, '2')).deep.equal([]);
      expect(lead(past, null)).deep.equal([]);
    }
    expect(lead([made()], '1')).deep.equal([]);
  });

  it('is recorded as gone once, also when suspended; a local or unknown account never is', () => {
    const gone = [{ type: 'RemoteAccountGone', data: { account_id: '1' } }] as AccountEvent[];
    expect(decideGone(given(made()))).deep.equal(gone);
    expect(decideGone(given(made(), suspended))).deep.equal(gone);
    expect(decideGone(given(made(), ...gone))).deep.equal([]);
    expect(decideGone(given())).deep.equal([]);
    expect(decideGone(given(made({ domain: null })))).deep.equal([]);
  });
});
