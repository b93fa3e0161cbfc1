import { expect } from 'chai';
import { emptyProfile } from '#events/accounts.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { weeklyActivity } from '#projections/weekly-activity.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const active = (account_id: string, date: string): DomainEvent => ({
  type: 'UserActive',
  data: { account_id, date },
});
const known = (id: string, domain: string | null): DomainEvent => ({
  type: 'AccountCreated',
  data: {
    id,
    username: `u${id}`,
    domain,
    uri: id,
    url: id,
    created_at: '2026-11-21T08:00:00.000Z',
    ...emptyProfile,
  },
});
const registered = (account_id: string): DomainEvent => ({
  type: 'UserRegistered',
  data: {
    account_id,
    email: '',
    locale: 'en',
    confirmed: true,
    approved: true,
    role: null,
    reason: null,
    application_id: null,
    sign_up_ip: null,
  },
});

describe('The read model of weekly activity', () => {
  it('counts a user once a week, and remembers servers, wherever batches are cut', async function () {
    this.timeout(60_000);
    const db = await openScratchDatabase();
    const rows = await project(db, weeklyActivity, [
      known('1', null),
      registered('1'),
      active('1', '2026-11-09'),
      known('2', 'far.example'),
      active('1', '2026-11-15'),
      active('3', '2026-11-15'),
      registered('3'),
      known('4', 'far.example'),
      active('1', '2026-11-16'),
      known('5', 'away.example'),
      active('1', '2026-11-22'),
    ]);
    await db.close();
    // The second week begins on Monday the 16th. The users signed up on the 21st.
    expect(rows['weekly_activity']).to.have.deep.members([
      { week: '2026-11-09', logins: 2, registrations: 0 },
      { week: '2026-11-16', logins: 1, registrations: 2 },
    ]);
    expect(rows['known_domains']).to.deep.equal([{ domain: 'away.example' }, { domain: 'far.example' }]);
  });
});
