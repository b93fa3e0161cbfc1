import { expect } from 'chai';
import { AccountCreated } from '#events/accounts.ts';
import { StatusCreated } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { conversations } from '#projections/conversations/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const [A, B, C] = ['1', '2', '3'] as const;
/** A remote account. */
const FAR = '9';
const THREAD = '100';
const at = (minute: number): string => `2026-11-21T08:${String(minute).padStart(2, '0')}:00.000Z`;

const post = (id: string, from: string, to: readonly string[], more: object = {}): DomainEvent => ({
  type: 'StatusCreated',
  data: {
    ...StatusCreated.samples[2],
    id,
    account_id: from,
    local: from !== FAR,
    conversation_id: THREAD,
    visibility: 'direct',
    created_at: at(0),
    mentions: to.map((account) => ({
      id: account,
      username: `u${account}`,
      url: `https://rookery.example/@u${account}`,
      acct: account === FAR ? 'far@far.example' : `u${account}`,
    })),
    ...more,
  },
});
const edited = (event: DomainEvent): DomainEvent => ({
  type: 'StatusEdited',
  data: { ...(event.data as object), edit_id: '900', edited_at: at(5) },
});
const deleted = (id: string): DomainEvent => ({
  type: 'StatusDeleted',
  data: { id, account_id: A, visibility: 'direct', in_reply_to_id: null },
});
const did = (type: string, conversation_id: string, account_id: string, up_to_id: string): DomainEvent => ({
  type: `Conversation${type}`,
  data: { conversation_id, account_id, up_to_id },
});
const marked = (
  type: string,
  account_id: string,
  target_account_id: string,
  more: object = {},
): DomainEvent => ({ type: `Account${type}`, data: { id: '800', account_id, target_account_id, ...more } });
const mutedUntil = (expires_at: string | null): object => ({ notifications: true, expires_at });

describe('The read model of conversations', function () {
  this.timeout(120_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  /**
   * By reader and id: the last post and whether it is unread. Fails when the result depends on how batches
   * are cut.
   */
  const shown = async (...events: DomainEvent[]): Promise<Record<string, string>> => {
    const rows = await project(db, conversations, events);
    const unread = (row: Record<string, unknown>): string =>
      row['marked_unread'] === true ||
      Number(row['heard_position'] ?? 0) >
        Math.max(Number(row['read_position']), Number(row['removed_position']))
        ? ' unread'
        : '';
    return Object.fromEntries(
      (rows['conversations'] ?? []).map((row) => [
        `${String(row['account_id'])}:${String(row['id'])}`,
        `${String(row['last_status_id'])}${unread(row)}`,
      ]),
    );
  };

  it('has one row per participant, thread and circle, for direct posts and local accounts only', async () => {
    expect(
      await shown(
        post('101', A, [B, FAR]),
        post('102', B, [A, FAR]),
        post('103', A, [B]),
        post('104', FAR, [A, B]),
        post('105', C, [A], { visibility: 'private' }),
        post('106', A, [B, FAR], { conversation_id: '106' }),
        post('107', C, []),
      ),
    ).to.deep.equal({
      '1:101': '104 unread',
      '2:101': '104 unread',
      '1:103': '103',
      '2:103': '103 unread',
      '1:106': '106',
      '2:106': '106 unread',
      '3:107': '107',
    });
  });

  it('uses the order of events, not of ids', async () => {
    expect(
      await shown(post('105', B, [A]), did('Read', '105', A, '105'), post('104', B, [A])),
      'a post with an older id that came later',
    ).to.include({ '1:105': '105 unread' });
    expect(await shown(post('105', B, [A]), did('Removed', '105', A, '105'), post('104', B, [A]))).to.include(
      { '1:105': '104 unread' },
    );
  });

  it('keeps a post unread that the participant had not seen yet', async () => {
    const two = [post('101', B, [A]), post('102', B, [A])];
    expect(await shown(...two, did('Read', '101', A, '101'))).to.include({ '1:101': '102 unread' });
    expect(await shown(...two, did('Read', '101', A, '102'))).to.include({ '1:101': '102' });
    expect(await shown(...two, did('Read', '101', A, '102'), did('Read', '101', A, '101'))).to.include({
      '1:101': '102',
    });
    expect(await shown(...two, did('Removed', '101', A, '101'))).to.include({ '1:101': '102 unread' });
    expect(await shown(...two, did('Removed', '101', A, '102'))).to.include({ '1:101': 'null' });
  });

  it('is unread when its participant says so, until read, answered or removed', async () => {
    const one = [post('101', B, [A]), did('Read', '101', A, '101'), did('MarkedUnread', '101', A, '101')];
    expect(await shown(...one)).to.deep.equal({ '1:101': '101 unread', '2:101': '101' });
    expect(await shown(...one, did('Read', '101', A, '101'))).to.include({ '1:101': '101' });
    expect(await shown(...one, post('102', A, [B]))).to.include({ '1:101': '102' });
    expect(await shown(...one, post('102', B, [A]))).to.include({ '1:101': '102 unread' });
    const back = [did('Removed', '101', A, '101'), post('102', B, [A]), did('Read', '101', A, '102')];
    expect(await shown(...one, ...back)).to.include({ '1:101': '102' });
  });

  it('shows the previous post when the last one is deleted', async () => {
    const three = [post('101', A, [B]), post('102', B, [A]), post('103', A, [B])];
    expect(await shown(...three, deleted('103'))).to.deep.equal({ '1:101': '102', '2:101': '102' });
    expect(await shown(...three, deleted('101'))).to.include({ '1:101': '103', '2:101': '103 unread' });
    expect(await shown(...three, deleted('102'), deleted('101'), deleted('103'))).to.deep.equal({
      '1:101': 'null',
      '2:101': 'null',
    });
    expect(await shown(...three, deleted('101'), deleted('103'), post('104', B, [A]))).to.include({
      '1:101': '104 unread',
    });
    expect(
      await shown(...three, did('Removed', '101', B, '102'), deleted('103')),
      'what was removed does not come back',
    ).to.include({ '2:101': 'null' });
  });

  it('adds the post for accounts that an edit mentions, and removes it for none', async () => {
    const first = post('101', A, [B]);
    expect(await shown(first, edited(post('101', A, [C])))).to.deep.equal({
      '1:101': '101',
      '2:101': '101 unread',
      '3:101': '101 unread',
    });
    expect(await shown(first, did('Read', '101', B, '101'), edited(first))).to.include({ '2:101': '101' });
  });

  it('removes conversations with blocked and muted accounts, and ignores later posts of these', async () => {
    const talk = [
      post('101', B, [A]),
      post('102', B, [A, C]),
      post('103', C, [A], { conversation_id: '103' }),
    ];
    for (const mark of [marked('Blocked', A, B), marked('Muted', A, B, mutedUntil(null))]) {
      expect(await shown(...talk, mark)).to.include({
        '1:101': 'null',
        '1:102': 'null',
        '1:103': '103 unread',
        '2:101': '101',
        '3:102': '102 unread',
      });
      expect(await shown(...talk, mark, post('104', B, [A]), post('105', C, [A, B]))).to.include({
        '1:101': 'null',
        '1:102': '105 unread',
      });
    }
    const silenced = [...talk, marked('Blocked', A, B), marked('Muted', A, B, mutedUntil(null))];
    expect(await shown(...silenced, marked('Unblocked', A, B), post('104', B, [A]))).to.include({
      '1:101': 'null',
    });
    expect(
      await shown(...silenced, marked('Unblocked', A, B), marked('Unmuted', A, B), post('104', B, [A])),
    ).to.include({ '1:101': '104 unread', '1:102': 'null' });
  });

  it('is the same whether a block is applied before or after a deletion', async () => {
    const blockOfAnother = marked('Blocked', C, A);
    const events = [post('101', A, [B]), blockOfAnother, deleted('101'), marked('Blocked', B, A)];
    expect(await shown(...events)).to.deep.equal({ '1:101': 'null', '2:101': 'null' });
  });

  it('accepts posts of a muted account again after the mute', async () => {
    const until = marked('Muted', A, B, mutedUntil(at(10)));
    const late = { created_at: at(11) };
    expect(await shown(until, post('101', B, [A]))).to.deep.equal({ '2:101': '101' });
    expect(await shown(until, post('101', B, [A], late))).to.include({ '1:101': '101 unread' });
  });

  it("withholds posts that the participant's policy filters until their author is accepted", async () => {
    const people = [A, B].map((id): DomainEvent => {
      const sample = Object.values(AccountCreated.samples).at(-1) as object;
      return { type: 'AccountCreated', data: { ...sample, id, domain: null, created_at: at(0) } };
    });
    const answer = (name: string): DomainEvent => ({
      type: `NotificationRequest${name}`,
      data: { account_id: B, from_account_id: A, request_id: '101' },
    });
    const messages = [post('101', A, [B]), post('102', A, [B])];
    expect(await shown(...people, ...messages)).to.deep.equal({ [`${A}:101`]: '102' });
    expect(await shown(...people, ...messages, answer('Accepted'), post('103', A, [B]))).to.deep.equal({
      [`${A}:101`]: '103',
      [`${B}:101`]: '103 unread',
    });
    expect(await shown(...people, ...messages, answer('Dismissed'), answer('Accepted'))).to.deep.equal({
      [`${A}:101`]: '102',
    });
    expect(await shown(...people, post('100', B, [A]), post('101', A, [B]))).to.have.property(
      `${B}:100`,
      '101 unread',
    );
  });

  it('accepts more participants than an index could hold', async () => {
    const many = Array.from({ length: 400 }, (_, index) => `109500000000${1_000_000 + index}`);
    const everybody = await shown(post('101', A, many), post('102', A, many));
    expect(Object.keys(everybody)).to.have.length(401);
    expect(everybody).to.include({ '1:101': '102' });
  });
});
