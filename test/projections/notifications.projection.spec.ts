import { expect } from 'chai';
import { AccountCreated, UserRegistered } from '#events/accounts.ts';
import { ReplyLinked, StatusCreated, type StatusData, StatusEdited } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { notifications } from '#projections/notifications/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project, type Rows } from '../support/projection.ts';

const [alice, bob, carol, far] = [
  '109500000000000001',
  '109500000000000002',
  '109500000000000003',
  '109500000000000004',
];
const NOW = '2026-11-21T08:00:00.000Z';
const happening = (type: string, data: object): DomainEvent => ({ type, data });
const account = (id: string, more = {}): DomainEvent =>
  happening('AccountCreated', { ...AccountCreated.samples[1], id, username: `u${id}`, ...more });
const people = [
  account(alice, { created_at: '2026-01-01T00:00:00.000Z' }),
  account(bob, { created_at: '2026-01-01T00:00:00.000Z' }),
  account(carol, { created_at: '2026-11-01T00:00:00.000Z' }),
  account(far, { domain: 'far.example' }),
];
const pair = (account_id: string, target_account_id: string) => ({ account_id, target_account_id });
const followed = (from: string, to: string, id: string, notify = false, languages: string[] | null = null) =>
  happening('AccountFollowed', { id, ...pair(from, to), reblogs: true, notify, languages });
const acting = (type: string, who: string, status: string, of: string, id?: string): DomainEvent =>
  happening(type, {
    ...(id === undefined ? {} : { id }),
    account_id: who,
    status_id: status,
    status_account_id: of,
    ...(type.includes('eblogged') ? { visibility: 'public', created_at: NOW, local: true, uri: 'x' } : {}),
  });
const mention = (id: string) => ({ id, username: 'x', acct: 'x', url: 'x' });
const status = (id: string, by: string, more: Partial<StatusData> = {}): StatusData =>
  ({
    ...StatusCreated.samples[2],
    id,
    account_id: by,
    conversation_id: id,
    ...more,
  }) as unknown as StatusData;
const posted = (...of: Parameters<typeof status>): DomainEvent => happening('StatusCreated', status(...of));
const edited = (edit_id: string, ...of: Parameters<typeof status>): DomainEvent =>
  happening('StatusEdited', { ...StatusEdited.samples[1], ...status(...of), edit_id });

describe('The read model of notifications', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  const rowsAfter = (...events: DomainEvent[]): Promise<Rows> =>
    project(db, notifications, [...people, ...events]);
  /** Each notification in short: recipient, id, type, source, and whether it was filtered. */
  const toldBy = async (...events: DomainEvent[]): Promise<string[]> =>
    shortly((await rowsAfter(...events))['notifications']);
  const shortly = (rows: Rows[string] = []): string[] =>
    rows
      .map((row) => {
        const name = { [alice]: 'alice', [bob]: 'bob', [carol]: 'carol', [far]: 'far' };
        const to = name[String(row['account_id'])] ?? '?';
        const from = name[String(row['from_account_id'])] ?? '?';
        const mark = row['filtered'] === true ? ' filtered' : '';
        return `${to} ${String(row['id'])} ${String(row['type'])} ${from}${mark}`;
      })
      .sort();

  it('notifies accounts of a collection while they are its members', async () => {
    const item = (type: string, id: string, collection_id: string, account_id: string): DomainEvent =>
      happening(type, {
        id,
        collection_id,
        owner_id: alice,
        account_id,
        ...(type === 'CollectionItemAdded' ? { created_at: NOW } : {}),
      });
    const added = [
      item('CollectionItemAdded', '11', '10', bob),
      item('CollectionItemAdded', '12', '10', carol),
      item('CollectionItemAdded', '21', '20', bob),
      item('CollectionItemAdded', '22', '20', alice),
    ];
    const told = ['bob 11 added_to_collection alice', 'bob 21 added_to_collection alice'];
    const carols = 'carol 12 added_to_collection alice';
    expect(await toldBy(...added)).to.deep.equal([...told, carols]);
    const removed = item('CollectionItemRemoved', '11', '10', bob);
    const revoked = item('CollectionItemRevoked', '12', '10', carol);
    const again = item('CollectionItemAdded', '13', '10', bob);
    expect(await toldBy(...added, removed, revoked, again)).to.deep.equal([
      'bob 13 added_to_collection alice',
      'bob 21 added_to_collection alice',
    ]);
    const deleted = happening('CollectionDeleted', { id: '20', account_id: alice });
    expect(await toldBy(...added, deleted)).to.deep.equal([told[0], carols]);
    const updated = (id: string, update_id: string | null): DomainEvent =>
      happening('CollectionUpdated', { id, update_id, account_id: alice, updated_at: NOW });
    const changes = [updated('10', '30'), updated('10', null), updated('20', '31'), updated('10', '32')];
    expect(await toldBy(...added, ...changes)).to.deep.equal([
      ...told,
      ...['bob 31 collection_update alice', 'bob 32 collection_update alice'],
      ...[carols, 'carol 32 collection_update alice'],
    ]);
    expect(await toldBy(...added, ...changes, removed, revoked, deleted)).to.deep.equal([]);
    expect(await toldBy(...added, ...changes, removed, again)).to.deep.equal([
      ...['bob 13 added_to_collection alice', 'bob 21 added_to_collection alice'],
      ...['bob 31 collection_update alice', carols, 'carol 32 collection_update alice'],
    ]);
  });

  it('has a row per event and recipient, with the id of the event', async () => {
    const rows = await rowsAfter(
      posted('115500000000000001', alice),
      acting('StatusFavourited', bob, '115500000000000001', alice, '115500000000000002'),
      acting('StatusReblogged', carol, '115500000000000001', alice, '115500000000000003'),
      followed(bob, alice, '115500000000000004'),
    );
    expect(rows['notifications']).to.have.deep.members(
      [
        {
          id: '115500000000000002',
          type: 'favourite',
          from_account_id: bob,
          status_id: '115500000000000001',
        },
        { id: '115500000000000003', type: 'reblog', from_account_id: carol, status_id: '115500000000000001' },
        { id: '115500000000000004', type: 'follow', from_account_id: bob, status_id: 0 },
      ].map((row) => ({
        ...row,
        account_id: alice,
        created_at: '2026-11-21T08:00:00+00:00',
        filtered: false,
        span: 489_552,
      })),
    );
  });

  it('notifies neither the actor nor remote accounts', async () => {
    const told = await toldBy(
      posted('115500000000000001', alice, { mentions: [mention(alice), mention(far)] }),
      acting('StatusFavourited', alice, '115500000000000001', alice, '115500000000000002'),
      posted('115500000000000003', far),
      acting('StatusFavourited', alice, '115500000000000003', far, '115500000000000004'),
      followed(alice, far, '115500000000000005'),
      followed(far, bob, '115500000000000006', true),
    );
    expect(told).to.deep.equal(['bob 115500000000000006 follow far']);
  });

  it('removes the notification of an undone event, and adds it when the event happens again', async () => {
    const id = '115500000000000001';
    const told = await toldBy(
      posted(id, alice),
      acting('StatusFavourited', bob, id, alice, '115500000000000002'),
      acting('StatusFavourited', carol, id, alice, '115500000000000003'),
      acting('StatusUnfavourited', bob, id, alice),
      acting('StatusReblogged', bob, id, alice, '115500000000000004'),
      acting('StatusUnreblogged', bob, id, alice, '115500000000000004'),
      acting('StatusFavourited', bob, id, alice, '115500000000000005'),
      followed(bob, alice, '115500000000000006'),
      happening('AccountUnfollowed', pair(bob, alice)),
      happening('FollowRequested', {
        id: '115500000000000007',
        ...pair(bob, carol),
        reblogs: true,
        notify: false,
        languages: null,
      }),
      happening('FollowRequestWithdrawn', pair(bob, carol)),
    );
    expect(told).to.deep.equal([
      'alice 115500000000000003 favourite carol',
      'alice 115500000000000005 favourite bob',
    ]);
  });

  it('turns an accepted request into a follow, and removes a rejected one', async () => {
    const asked = (id: string, from: string) => ({
      id,
      ...pair(from, alice),
      reblogs: true,
      notify: false,
      languages: null,
    });
    const told = await toldBy(
      happening('FollowRequested', asked('115500000000000001', bob)),
      happening('FollowRequested', asked('115500000000000002', carol)),
      happening('FollowRequestAuthorized', asked('115500000000000001', bob)),
      happening('FollowRequestRejected', pair(carol, alice)),
    );
    expect(told).to.deep.equal(['alice 115500000000000001 follow bob']);
  });

  it('notifies followers with notifications enabled of new posts in their languages, but not of replies to others', async () => {
    const told = await toldBy(
      followed(alice, bob, '115500000000000001', true),
      followed(carol, bob, '115500000000000002', true, ['de']),
      posted('115500000000000003', bob),
      posted('115500000000000004', bob, { in_reply_to_id: '1', in_reply_to_account_id: carol }),
      posted('115500000000000005', bob, { visibility: 'direct' }),
      posted('115500000000000006', bob, { mentions: [mention(alice)] }),
      happening('FollowSettingsChanged', {
        ...pair(alice, bob),
        reblogs: true,
        notify: false,
        languages: null,
      }),
      posted('115500000000000007', bob, { language: null }),
    );
    expect(told.filter((line) => !line.includes('follow'))).to.deep.equal([
      'alice 115500000000000003 status bob',
      'alice 115500000000000006 mention bob',
      'alice 115500000000000007 status bob',
      'carol 115500000000000007 status bob',
    ]);
  });

  it('notifies rebloggers, quoting authors and mentioned accounts of the last edit', async () => {
    const id = '115500000000000001';
    const quote = { id, account_id: alice, state: 'accepted' as const };
    const all = await rowsAfter(
      posted(id, alice, { mentions: [mention(bob)] }),
      acting('StatusReblogged', bob, id, alice, '115500000000000002'),
      posted('115500000000000003', carol, { quote }),
      posted('115500000000000004', carol, { quote }),
      edited('115500000000000005', id, alice, { mentions: [mention(bob)] }),
      edited('115500000000000006', id, alice, { mentions: [mention(bob), mention(carol)] }),
    );
    expect(shortly(all['notifications'])).to.deep.equal([
      'alice 115500000000000002 reblog bob',
      'alice 115500000000000003 quote carol',
      'alice 115500000000000004 quote carol',
      'bob 115500000000000001 mention alice',
      'bob 115500000000000006 update alice',
      'carol 115500000000000006 mention alice',
    ]);
    expect(all['notifications']?.find(({ account_id }) => account_id === carol)).to.include({
      status_id: id,
    });
    const rows = await rowsAfter(
      posted(id, alice),
      posted('115500000000000003', carol, { quote }),
      posted('115500000000000004', carol, { quote }),
      happening('QuoteRevoked', {
        id: '115500000000000004',
        account_id: carol,
        quoted_id: id,
        quoted_account_id: alice,
      }),
      edited('115500000000000005', id, alice),
      edited('115500000000000006', id, alice),
    );
    expect(rows['notifications']?.filter(({ type }) => type === 'quoted_update')).to.deep.equal([
      {
        account_id: carol,
        id: '115500000000000006',
        type: 'quoted_update',
        from_account_id: alice,
        status_id: '115500000000000003',
        created_at: '2026-11-21T08:00:00+00:00',
        filtered: false,
        span: null,
      },
    ]);
  });

  it('notifies the author and the voters of the end of a poll', async () => {
    const poll_id = '115500000000000002';
    const vote = (who: string, id: string): DomainEvent =>
      happening('VoteCast', {
        id,
        poll_id,
        status_id: '115500000000000001',
        account_id: who,
        choices: [0],
        cast_at: NOW,
      });
    const rows = await rowsAfter(
      posted('115500000000000001', alice),
      vote(bob, '115500000000000003'),
      vote(far, '115500000000000004'),
      happening('PollClosed', {
        id: '115500000000000001',
        account_id: alice,
        poll_id,
        close_id: '115500000000000005',
        closed_at: NOW,
      }),
    );
    expect(shortly(rows['notifications'])).to.deep.equal([
      'alice 115500000000000005 poll alice',
      'bob 115500000000000005 poll alice',
    ]);
    expect(rows['notification_voters']).to.deep.equal([]);
  });

  it('removes the notifications of a deleted post', async () => {
    const quote = { id: '115500000000000001', account_id: alice, state: 'accepted' as const };
    const rows = await rowsAfter(
      posted('115500000000000001', alice, { mentions: [mention(bob)] }),
      acting('StatusFavourited', bob, '115500000000000001', alice, '115500000000000002'),
      acting('StatusReblogged', bob, '115500000000000001', alice, '115500000000000003'),
      posted('115500000000000004', carol, { quote }),
      happening('StatusDeleted', {
        id: '115500000000000004',
        account_id: carol,
        visibility: 'public',
        in_reply_to_id: null,
      }),
      happening('StatusDeleted', {
        id: '115500000000000001',
        account_id: alice,
        visibility: 'public',
        in_reply_to_id: null,
      }),
      followed(bob, alice, '115500000000000005'),
    );
    expect(shortly(rows['notifications'])).to.deep.equal(['alice 115500000000000005 follow bob']);
    for (const table of ['notification_mentions', 'notification_quotes', 'notification_reblogs']) {
      expect(rows[table], table).to.deep.equal([]);
    }
  });

  it('notifies staff of new users, from the time of their role on', async () => {
    const user = (account_id: string, role: string | null = null): DomainEvent =>
      happening('UserRegistered', { ...UserRegistered.samples[1], account_id, role });
    expect(await toldBy(user(alice), user(bob, 'Admin'), user(carol))).to.deep.equal([
      `bob ${carol} admin.sign_up carol`,
    ]);
    const promoted = happening('UserRoleChanged', { account_id: alice, role: 'Moderator' });
    const dismissed = happening('UserRoleChanged', { account_id: alice, role: null });
    expect(await toldBy(user(alice), promoted, user(bob), dismissed, user(carol))).to.deep.equal([
      `alice ${bob} admin.sign_up bob`,
    ]);
  });

  describe('under a policy', () => {
    const policy = (rules: object): DomainEvent =>
      happening('NotificationPolicyChanged', { account_id: alice, ...rules });
    const favourite = (who: string, id: string): DomainEvent =>
      acting('StatusFavourited', who, '115500000000000001', alice, id);
    const post = posted('115500000000000001', alice);

    it('filters or drops notifications of strangers, but no earlier ones', async () => {
      const told = await toldBy(
        post,
        favourite(bob, '115500000000000002'),
        policy({ for_not_following: 'filter' }),
        favourite(carol, '115500000000000003'),
        followed(alice, bob, '115500000000000004'),
        acting('StatusReblogged', bob, '115500000000000001', alice, '115500000000000005'),
        policy({ for_not_followers: 'drop' }),
        acting('StatusReblogged', carol, '115500000000000001', alice, '115500000000000006'),
        followed(carol, alice, '115500000000000007'),
      );
      expect(told.filter((line) => line.startsWith('alice'))).to.deep.equal([
        'alice 115500000000000002 favourite bob',
        'alice 115500000000000003 favourite carol filtered',
        'alice 115500000000000005 reblog bob',
        'alice 115500000000000007 follow carol filtered',
      ]);
    });

    it('filters new accounts', async () => {
      const told = await toldBy(
        post,
        policy({ for_new_accounts: 'filter' }),
        favourite(bob, '115500000000000002'),
        favourite(carol, '115500000000000003'),
      );
      expect(told).to.deep.equal([
        'alice 115500000000000002 favourite bob',
        'alice 115500000000000003 favourite carol filtered',
      ]);
    });

    it('filters private mentions of strangers from the start, but not replies', async () => {
      const direct = (id: string, by: string, to: string, conversation_id: string): DomainEvent =>
        posted(id, by, { visibility: 'direct', mentions: [mention(to)], conversation_id });
      const told = await toldBy(
        direct('115500000000000001', bob, alice, '115500000000000001'),
        direct('115500000000000002', alice, carol, '115500000000000002'),
        direct('115500000000000003', carol, alice, '115500000000000002'),
        direct('115500000000000004', bob, alice, '115500000000000002'),
        followed(carol, bob, '115500000000000005'),
        direct('115500000000000006', bob, carol, '115500000000000006'),
      );
      expect(told).to.deep.equal([
        'alice 115500000000000001 mention bob filtered',
        'alice 115500000000000003 mention carol',
        'alice 115500000000000004 mention bob filtered',
        'bob 115500000000000005 follow carol',
        'carol 115500000000000002 mention alice filtered',
        'carol 115500000000000006 mention bob',
      ]);
    });

    it('keeps one request per account, with the id of the first filtered notification, until it is answered', async () => {
      const strict = policy({ for_not_following: 'filter' });
      const before = [
        post,
        strict,
        favourite(bob, '115500000000000002'),
        favourite(carol, '115500000000000003'),
        acting('StatusReblogged', bob, '115500000000000001', alice, '115500000000000004'),
      ];
      const rows = await rowsAfter(...before);
      expect(
        rows['notification_requests']?.map(({ from_account_id, id }) => [from_account_id, id]),
      ).to.have.deep.members([
        [bob, '115500000000000002'],
        [carol, '115500000000000003'],
      ]);
      const answered = await rowsAfter(
        ...before,
        happening('NotificationRequestAccepted', {
          account_id: alice,
          from_account_id: bob,
          request_id: '115500000000000002',
        }),
        happening('NotificationRequestDismissed', {
          account_id: alice,
          from_account_id: carol,
          request_id: '115500000000000003',
        }),
        acting('StatusReblogged', carol, '115500000000000001', alice, '115500000000000005'),
        followed(bob, alice, '115500000000000006'),
      );
      expect(shortly(answered['notifications'])).to.deep.equal([
        'alice 115500000000000002 favourite bob',
        'alice 115500000000000004 reblog bob',
        'alice 115500000000000005 reblog carol filtered',
        'alice 115500000000000006 follow bob',
      ]);
      expect(answered['notification_requests']?.map(({ id }) => id)).to.deep.equal(['115500000000000005']);
    });
  });

  it('removes the notification of a reply that was linked to its parent, also in one batch with the link', async () => {
    const dismissed = (account_id: string, id: string): DomainEvent =>
      happening('NotificationDismissed', { account_id, id });
    const [parent, reply, news] = [1n, 2n, 3n].map((n) => String((BigInt(Date.parse(NOW)) << 16n) + n));
    const link = happening('ReplyLinked', {
      ...ReplyLinked.samples[1],
      id: reply,
      link_id: news,
      account_id: alice,
      in_reply_to_id: parent,
      in_reply_to_account_id: alice,
      conversation_id: parent,
    });
    const before = [followed(bob, alice, '10', true), dismissed(carol, '9'), link];
    expect(await toldBy(...before)).to.include(`bob ${news} status alice`);
    expect(await toldBy(...before, dismissed(bob, news ?? ''))).to.deep.equal(['alice 10 follow bob']);
  });

  it('removes dismissed notifications, and keeps later ones', async () => {
    const fav = (who: string, id: string): DomainEvent =>
      acting('StatusFavourited', who, '115500000000000001', alice, id);
    const told = await toldBy(
      followed(alice, bob, '115500000000000000', true),
      posted('115500000000000001', alice),
      fav(bob, '115500000000000002'),
      fav(carol, '115500000000000003'),
      acting('StatusReblogged', carol, '115500000000000001', alice, '115500000000000004'),
      happening('NotificationGroupDismissed', {
        account_id: alice,
        group_key: 'x',
        type: 'favourite',
        status_id: '115500000000000001',
        from: '115500000000000000',
        up_to: '115500000000000002',
      }),
      happening('NotificationDismissed', { account_id: alice, id: '115500000000000004' }),
      posted('115500000000000005', bob),
    );
    expect(told.slice(0, 2)).to.deep.equal([
      'alice 115500000000000003 favourite carol',
      'alice 115500000000000005 status bob',
    ]);
    expect(
      await toldBy(
        followed(alice, bob, '115500000000000000', true),
        posted('115500000000000005', bob),
        happening('NotificationsCleared', { account_id: alice, up_to: '115500000000000005' }),
        posted('115500000000000006', bob),
        happening('NotificationsCleared', { account_id: bob, up_to: '115500000000000005' }),
      ),
    ).to.deep.equal(['alice 115500000000000006 status bob']);
  });
});
