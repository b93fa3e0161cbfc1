import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { decideRemoteVote } from '#commands/federation/interactions.ts';
import { decideGone, decideRemoteMove, decideRemoteRedirect } from '#commands/federation/moves.ts';
import { decideRemoteEdit, decideRemotePollResult } from '#commands/federation/posts.ts';
import { type PollFacts, vote } from '#commands/polls.ts';
import { status } from '#commands/statuses/index.ts';
import { type AccountEvent, emptyProfile } from '#events/accounts.ts';
import type { PollEvent } from '#events/polls.ts';
import { type StatusContent, StatusCreated, type StatusData, type StatusEvent } from '#events/statuses.ts';
import { given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const sample = StatusCreated.samples[2] as unknown as StatusData;
const picture = (id: string, url: string) => ({
  id,
  type: 'image' as const,
  file: url,
  preview: url,
  remote_url: url,
  meta: null,
  description: null,
  blurhash: null,
});
const data: StatusData = {
  ...sample,
  local: false,
  text: null,
  media: [picture('7', 'https://far.example/a.png')],
};
const own = { id: data.id, accountId: data.account_id };
const created: StatusEvent = { type: 'StatusCreated', data };
const { text, content, spoiler_text, sensitive, language, mentions, tags, media, poll } = data;
const same: StatusContent = { text, content, spoiler_text, sensitive, language, mentions, tags, media, poll };
const editedAt = '2026-11-21T09:00:00.000Z';
const edit = (past: StatusEvent[], changes: Partial<StatusContent>, more = {}) =>
  given(status, ...past).when(decideRemoteEdit, {
    ...own,
    editId: '900',
    editedAt,
    content: { ...same, ...changes },
    ...more,
  });

describe('An edit by another server of its own post', () => {
  it('records StatusEdited only when the content differs', () => {
    edit([created], {}).then([]);
    const [event] = edit([created], { content: '<p>Crows</p>' }).decided();
    expect(event).deep.equal({
      type: 'StatusEdited',
      data: { ...data, content: '<p>Crows</p>', edit_id: '900', edited_at: editedAt },
    });
  });

  it('keeps the ids of unchanged files and of a poll with the same options', () => {
    const fresh = { media: [picture('8', 'https://far.example/a.png')], poll: poll && { ...poll, id: '9' } };
    edit([created], fresh).then([]);
    const later = { ...fresh, poll: poll && { ...poll, id: '9', expires_at: null } };
    const [event] = edit([created], later).decided();
    expect((event?.data as StatusData).poll).deep.equal({ ...poll, expires_at: null });
    const [asked] = edit([created], { poll: poll && { ...poll, id: '9', options: ['Other'] } }).decided();
    expect((asked?.data as StatusData).poll).deep.include({ id: '9' });
  });

  it('takes back the optional members that the new version of the post lacks', () => {
    const optional = {
      emojis: [{ shortcode: 'rook', url: 'https://far.example/rook.png' }],
      unresolved_mentions: ['https://wide.example/users/holly'],
      linked_page: 'https://far.example/page',
    };
    for (const [name, value] of Object.entries(optional)) {
      const had: StatusEvent = { ...created, data: { ...data, [name]: value } };
      const [event] = edit([had], {}).decided();
      expect(event?.type, name).equal('StatusEdited');
      expect(event?.data, name).not.to.have.property(name);
      edit([had, ...(event ? [event] : [])], {}).then([]);
    }
  });

  it("requires the post's own remote author, an existing post and a newer date", () => {
    const changes = { content: '<p>Crows</p>' };
    edit([], changes).then([]);
    edit([created], changes, { accountId: '1' }).then([]);
    edit([{ ...created, data: { ...data, local: true } }], changes).then([]);
    const { id, account_id, visibility, in_reply_to_id } = data;
    const deleted: StatusEvent = {
      type: 'StatusDeleted',
      data: { id, account_id, visibility, in_reply_to_id },
    };
    edit([created, deleted], changes).then([]);
    const first = edit([created], changes).decided();
    edit([created, ...first], { content: 'x' }, { editedAt: '2026-11-21T08:59:59.000Z' }).then([]);
    expect(
      edit([created, ...first], { content: 'x' }, { editedAt: '2026-11-21T09:00:01.000Z' }).decided(),
    ).to.have.length(1);
  });

  it('records new poll totals, and only for a poll with as many options', () => {
    const tally = (past: StatusEvent[], votes: number[], voters = 0) =>
      given(status, ...past).when(decideRemotePollResult, own, { votes, voters });
    tally([created], [0, 0]).then([]);
    const told = tally([created], [1, 2], 3).decided();
    expect(told).deep.equal([
      {
        type: 'PollTallied',
        data: { id: data.id, account_id: data.account_id, poll_id: poll?.id, votes: [1, 2], voters: 3 },
      },
    ]);
    tally([created, ...told], [1, 2], 3).then([]);
    expect(tally([created, ...told], [0, 0]).decided()).to.have.length(1);
    tally([created], [1, 2, 3]).then([]);
    tally([{ ...created, data: { ...data, poll: null } }], []).then([]);
  });
});

describe('A vote from another server', () => {
  const facts = (multiple: boolean): PollFacts => ({
    poll_round: '5',
    status_id: '6',
    poll_account_id: '7',
    poll_options: '["a","0","-1"]',
    poll_multiple: multiple,
    poll_expires_at: null,
    poll_expired: false,
  });
  const cast = (past: PollEvent[], title: string, multiple = true) =>
    given(vote, ...past).when(
      decideRemoteVote,
      { id: '1', now: editedAt, accountId: '2', title },
      facts(multiple),
    );

  it('counts for the option with that title, not for its index', () => {
    expect(cast([], '0').decided()[0]?.data.choices).deep.equal([1]);
    expect(cast([], '-1').decided()[0]?.data.choices).deep.equal([2]);
    expect(cast([], 'a').decided()[0]?.data).not.to.have.property('more');
    cast([], '1').then([]);
  });

  it('refuses a second choice in a single-choice poll and adds one in a multiple-choice poll', () => {
    const first = cast([], 'a').decided();
    cast(first, 'a').then([]);
    expect(cast(first, '0').decided()[0]?.data).deep.include({ choices: [1], more: true });
    expect(refusalCode(() => cast(first, '0', false).decided())).equal('invalid');
  });

  it("marks a stranger's vote with its site, and refuses it once strangers reach 25 and half of the voters", () => {
    const ballot = { id: '1', now: editedAt, accountId: '2', title: 'a' };
    const counted = (voters: number, strangers: number, past: PollEvent[] = []) =>
      given(vote, ...past).when(
        decideRemoteVote,
        { ...ballot, stranger: { site: 'far.example', voters, strangers } },
        facts(true),
      );
    expect(counted(24, 24).decided()[0]?.data).deep.include({ stranger_of: 'far.example' });
    expect(refusalCode(() => counted(25, 25).decided())).equal('forbidden');
    expect(counted(100, 49).decided()).to.have.length(1);
    expect(refusalCode(() => counted(100, 50).decided())).equal('forbidden');
    expect(
      counted(25, 25, cast([], '0').decided()).decided()[0]?.data,
      'another choice of one voter',
    ).to.not.have.property('stranger_of');
  });
});

describe('A remote account', () => {
  const made = (changes: object = {}): AccountEvent => ({
    type: 'AccountCreated',
    data: {
      id: '1',
      username: 'far',
      domain: 'far.example',
      uri: 'https://far.example/1',
      url: 'https://far.example/1',
      created_at: editedAt,
      ...emptyProfile,
      ...changes,
    },
  });

  const suspended: AccountEvent = { type: 'AccountSuspended', data: { account_id: '1' } };

  it('moves once to each target, at most every 30 days, and never while suspended, gone or local', () => {
    const move = (past: AccountEvent[], targetId = '2', movedAt = editedAt) =>
      given(account, ...past).when(decideRemoteMove, { targetId, movedAt });
    const first = move([made()]).decided();
    expect(first).deep.equal([
      {
        type: 'AccountMoved',
        data: { account_id: '1', target_account_id: '2', moved_at: editedAt, with_followers: true },
      },
    ]);
    move([made(), ...first]).then([]);
    const cancelled: AccountEvent = { type: 'AccountMoveCancelled', data: { account_id: '1' } };
    for (const past of [[], [cancelled]]) {
      move([made(), ...first, ...past], '3', '2026-12-21T08:59:59.999Z').then([]);
      expect(move([made(), ...first, ...past], '3', '2026-12-21T09:00:00.000Z').decided()).to.have.length(1);
    }
    move([made()], '1').then([]);
    for (const past of [
      [],
      [made({ domain: null })],
      [made(), suspended],
      [made(), ...given(account, made()).when(decideGone).decided()],
    ]) {
      move(past).then([]);
    }
  });

  it('redirects without followers, changes the redirect and cancels it', () => {
    const lead = (past: AccountEvent[], targetId: string | null) =>
      given(account, ...past).when(decideRemoteRedirect, { targetId, movedAt: editedAt });
    const to = (target_account_id: string, with_followers: boolean): AccountEvent => ({
      type: 'AccountMoved',
      data: { account_id: '1', target_account_id, moved_at: editedAt, with_followers },
    });
    lead([made()], '2').then([to('2', false)]);
    for (const with_followers of [true, false]) {
      const past = [made(), to('2', with_followers)];
      lead(past, '2').then([]);
      lead(past, '3').then([to('3', false)]);
      lead(past, null).then([{ type: 'AccountMoveCancelled', data: { account_id: '1' } }]);
    }
    // Servers usually send the actor's `movedTo` before the Move activity.
    const move = { targetId: '2', movedAt: editedAt };
    given(account, made(), to('2', false))
      .when(decideRemoteMove, move)
      .then([to('2', true)]);
    lead([made()], null).then([]);
    for (const past of [[], [made({ domain: null })], [made(), suspended]]) {
      lead(past, '2').then([]);
      lead(past, null).then([]);
    }
    lead([made()], '1').then([]);
  });

  it('is recorded as gone once, also when suspended; a local or unknown account never is', () => {
    const gone = [{ type: 'RemoteAccountGone', data: { account_id: '1' } }] as AccountEvent[];
    given(account, made()).when(decideGone).then(gone);
    given(account, made(), suspended).when(decideGone).then(gone);
    given(account, made(), ...gone)
      .when(decideGone)
      .then([]);
    given(account).when(decideGone).then([]);
    given(account, made({ domain: null }))
      .when(decideGone)
      .then([]);
  });
});
