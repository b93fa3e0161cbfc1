import { expect } from 'chai';
import type { DomainEvent } from '#kernel/event.ts';
import { users } from '#projections/users/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const ALICE = '115500000000000000';
const BOB = '115500000000000001';
const NOW = '2026-11-21T08:00:00.000Z';

const registered = (account_id: string, name: string): DomainEvent => ({
  type: 'UserRegistered',
  data: {
    account_id,
    email: `${name}@example.org`,
    locale: 'en',
    confirmed: false,
    approved: false,
    role: null,
    reason: 'birds',
    application_id: null,
    sign_up_ip: '192.0.2.1',
  },
});
const about = (type: string, account_id: string, more: object = {}): DomainEvent => ({
  type,
  data: { account_id, ...more },
});

describe('The read model of users', () => {
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('follows their changes, wherever batches are cut', async function () {
    this.timeout(60_000);
    const { users: rows } = await project(db, users, [
      registered(ALICE, 'alice'),
      registered(BOB, 'bob'),
      about('UserEmailChanged', ALICE, { email: 'a@example.org', confirmed: false }),
      about('UserConfirmed', ALICE, { email: 'a@example.org' }),
      about('UserApproved', ALICE),
      about('UserDisabled', BOB),
      about('UserDisabled', ALICE),
      about('UserEnabled', ALICE),
      about('AccountMoved', ALICE, { target_account_id: BOB, moved_at: NOW, with_followers: true }),
      about('AccountMoved', BOB, { target_account_id: ALICE, moved_at: NOW, with_followers: false }),
      about('AccountMoveCancelled', ALICE),
      about('AccountSuspended', BOB),
      about('AccountSuspended', '115500000000000009'),
      about('UserRoleChanged', ALICE, { role: 'Admin' }),
      about('UserPreferencesChanged', ALICE, { privacy: 'private', language: 'de' }),
      about('UserPreferencesChanged', ALICE, { sensitive: true, quote_policy: 'nobody' }),
      about('UserPreferencesChanged', BOB, {
        language: 'fr',
        expand_media: 'hide_all',
        expand_spoilers: true,
      }),
      about('UserPreferencesChanged', BOB, { expand_media: 'show_all' }),
      about('UserPreferencesChanged', BOB, { language: null, locale: 'fr' }),
      about('UserActive', ALICE, { date: '2026-11-21' }),
      about('UserActive', ALICE, { date: '2026-11-20' }),
    ]);
    const [alice, bob] = [ALICE, BOB].map((id) => rows?.find(({ account_id }) => account_id === id));
    expect(alice).to.deep.include({
      email: 'a@example.org',
      confirmed: true,
      approved: true,
      disabled: false,
      moved: false,
      role: 'Admin',
      privacy: 'private',
      sensitive: true,
      language: 'de',
      quote_policy: 'nobody',
      expand_media: 'default',
      expand_spoilers: false,
      last_active_on: '2026-11-21',
      reason: 'birds',
    });
    expect(bob).to.deep.include({
      email: 'bob@example.org',
      confirmed: false,
      approved: false,
      disabled: true,
      suspended: true,
      moved: true,
      language: null,
      locale: 'fr',
      privacy: null,
      expand_media: 'show_all',
      expand_spoilers: true,
    });
  });
});
