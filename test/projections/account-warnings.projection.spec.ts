import { expect } from 'chai';
import { emptyProfile } from '#events/accounts.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { accountSearch } from '#projections/account-search.ts';
import { accountWarnings } from '#projections/account-warnings.ts';
import { accounts } from '#projections/accounts/index.ts';
import { notifications } from '#projections/notifications/index.ts';
import { users } from '#projections/users/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const ALICE = '115500000000000000';
const BOB = '115500000000000001';
const MOD = '115500000000000002';

const created = (id: string, username: string, role: string | null = null): DomainEvent[] => [
  {
    type: 'AccountCreated',
    data: {
      id,
      username,
      domain: null,
      created_at: '2026-11-21T08:00:00.000Z',
      ...emptyProfile,
      uri: `https://rookery.example/users/${username}`,
      url: `https://rookery.example/@${username}`,
    },
  },
  {
    type: 'UserRegistered',
    data: {
      account_id: id,
      email: `${username}@example.org`,
      locale: 'en',
      confirmed: true,
      role,
      approved: role !== null,
      reason: null,
      application_id: null,
      sign_up_ip: null,
    },
  },
];
const about = (type: string, account_id: string): DomainEvent => ({ type, data: { account_id } });
const warned = (id: string, account_id: string, notified: boolean): DomainEvent => ({
  type: 'AccountWarned',
  data: {
    id,
    account_id,
    action: 'none',
    text: `Strike ${id.slice(-2)}`,
    report_id: null,
    status_ids: ['5', '6'],
    notified,
  },
});

describe('The read model of account warnings', () => {
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contains strikes, and those that are shown to their account', async function () {
    this.timeout(60_000);
    const events = [
      ...created(ALICE, 'alice'),
      ...created(BOB, 'bob'),
      warned('115500000000000021', ALICE, true),
      warned('115500000000000022', BOB, false),
      warned('115500000000000023', ALICE, true),
      warned('115500000000000024', '115500000000000099', true),
    ];
    const { account_warnings: strikes = [] } = await project(db, accountWarnings, events);
    expect(
      strikes.map(({ id, account_id, text, status_ids }) => [id, account_id, text, status_ids]),
    ).to.deep.equal([
      ['115500000000000021', ALICE, 'Strike 21', '["5","6"]'],
      ['115500000000000022', BOB, 'Strike 22', '["5","6"]'],
      ['115500000000000023', ALICE, 'Strike 23', '["5","6"]'],
      ['115500000000000024', '115500000000000099', 'Strike 24', '["5","6"]'],
    ]);
    const { notifications: told = [] } = await project(db, notifications, events);
    expect(
      told.map(({ account_id, id, type, from_account_id }) => [account_id, id, type, from_account_id]),
    ).to.deep.equal([
      [ALICE, '115500000000000021', 'moderation_warning', ALICE],
      [ALICE, '115500000000000023', 'moderation_warning', ALICE],
    ]);
  });

  it('contains appeals and their outcome, and no text of an erased user', async function () {
    this.timeout(60_000);
    const [one, two, three, four] = [21, 22, 23, 24].map((end) => `1155000000000000${end}`) as [
      ...[string, string, string, string],
    ];
    const appeal = (strike_id: string, account_id = ALICE) => ({
      id: `${strike_id}9`,
      account_id,
      strike_id,
    });
    const filed = (strike_id: string, account_id?: string): DomainEvent => ({
      type: 'AppealFiled',
      data: { ...appeal(strike_id, account_id), text: `Not ${strike_id.slice(-2)}` },
    });
    const events: DomainEvent[] = [
      ...[warned(one, ALICE, true), warned(two, ALICE, true), warned(three, BOB, true)],
      ...[warned(four, BOB, true), filed(one), filed(two), filed(three, BOB), filed(four, BOB)],
      { type: 'AppealApproved', data: { ...appeal(one), note: 'Sorry', lifted: null } },
      { type: 'AppealRejected', data: { ...appeal(two), note: 'No' } },
      { type: 'AppealWithdrawn', data: appeal(three, BOB) },
    ];
    const look = async (...more: DomainEvent[]): Promise<{ appeals: unknown[]; strikes: unknown[] }> => {
      const { account_warnings = [], appeals = [] } = await project(db, accountWarnings, [
        ...events,
        ...more,
      ]);
      return {
        appeals: appeals.map(({ strike_id, state, text, note, closed_at }) => [
          ...[String(strike_id).slice(-2), state, text, note, closed_at !== null],
        ]),
        strikes: account_warnings.map(({ id, text, overruled_at }) => [
          ...[String(id).slice(-2), text, overruled_at !== null],
        ]),
      };
    };
    const before = await look();
    expect(before).to.deep.equal({
      appeals: [
        ['21', 'approved', 'Not 21', 'Sorry', true],
        ['22', 'rejected', 'Not 22', 'No', true],
        ['23', 'withdrawn', 'Not 23', '', true],
        ['24', 'pending', 'Not 24', '', false],
      ],
      strikes: [
        ['21', 'Strike 21', true],
        ['22', 'Strike 22', false],
        ['23', 'Strike 23', false],
        ['24', 'Strike 24', false],
      ],
    });
    // An erased account awaits no decision.
    const gone = await look(about('AccountErased', BOB), about('PersonalDataErased', BOB));
    expect(gone).to.deep.equal({
      appeals: [
        ...before.appeals.slice(0, 2),
        ['23', 'withdrawn', '', '', true],
        ['24', 'withdrawn', '', '', false],
      ],
      strikes: [...before.strikes.slice(0, 2), ['23', '', false], ['24', '', false]],
    });
  });

  it('marks accounts, and removes the marks', async function () {
    this.timeout(60_000);
    const { accounts: rows = [] } = await project(db, accounts, [
      ...created(ALICE, 'alice'),
      ...created(BOB, 'bob'),
      about('AccountSilenced', ALICE),
      about('AccountSilenced', BOB),
      about('AccountSensitized', ALICE),
      about('AccountSensitized', BOB),
      about('AccountSuspended', BOB),
      about('AccountUnsilenced', ALICE),
      about('AccountUnsensitized', BOB),
      about('AccountUnsuspended', BOB),
      about('AccountSilenced', '115500000000000099'),
    ]);
    expect(
      rows.map(({ username, silenced, sensitized, suspended }) => [
        username,
        silenced,
        sensitized,
        suspended,
      ]),
    ).to.deep.equal([
      ['alice', false, true, false],
      ['bob', true, false, false],
    ]);
  });

  it('removes a rejected sign-up from every table, and accepts the next one with that name', async function () {
    this.timeout(60_000);
    const events = [
      ...created(MOD, 'mod', 'Moderator'),
      ...created(ALICE, 'alice'),
      about('UserRejected', ALICE),
      ...created(BOB, 'Alice'),
    ];
    const { accounts: rows = [] } = await project(db, accounts, events);
    expect(rows.map(({ id }) => id)).to.have.members([MOD, BOB]);
    const { users: people = [] } = await project(db, users, events);
    expect(people.map(({ account_id }) => account_id)).to.have.members([MOD, BOB]);
    const { account_search: searched = [] } = await project(db, accountSearch, events);
    expect(searched.map(({ account_id }) => account_id)).to.have.members([MOD, BOB]);
    const { notifications: told = [], notification_people: known = [] } = await project(
      db,
      notifications,
      events,
    );
    expect(told.map(({ account_id, from_account_id }) => [account_id, from_account_id])).to.deep.equal([
      [MOD, BOB],
    ]);
    expect(known.map(({ account_id }) => account_id)).to.have.members([MOD, BOB]);
  });
});
