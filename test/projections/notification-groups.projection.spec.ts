import { expect } from 'chai';
import { AccountCreated } from '#events/accounts.ts';
import { StatusCreated } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { notifications } from '#projections/notifications/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const [alice, bob, carol, dave] = ['101', '102', '103', '104'] as const;
const happening = (type: string, data: object): DomainEvent => ({ type, data });
const people = [alice, bob, carol, dave].map((id) =>
  happening('AccountCreated', { ...AccountCreated.samples[1], id, username: `u${id}` }),
);
const post = happening('StatusCreated', {
  ...StatusCreated.samples[2],
  id: '700',
  account_id: alice,
  conversation_id: '700',
});
const idAt = (hour: number, minute = 0): string => String(BigInt((hour * 60 + minute) * 60_000) << 16n);
const favourite = (who: string, id: string): DomainEvent =>
  happening('StatusFavourited', { id, account_id: who, status_id: '700', status_account_id: alice });
const following = (type: string, who: string, id: string): DomainEvent =>
  happening(type, {
    id,
    account_id: who,
    target_account_id: alice,
    reblogs: true,
    notify: false,
    languages: null,
  });

describe('The groups of notifications', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  /** The hours in which the groups of all notifications begin, oldest first. */
  const spans = async (...events: DomainEvent[]): Promise<unknown[]> => {
    const { notifications: rows = [] } = await project(db, notifications, [...people, post, ...events]);
    return rows
      .sort((a, b) => (BigInt(String(a['id'])) < BigInt(String(b['id'])) ? -1 : 1))
      .map(({ span }) => span);
  };
  const first = favourite(bob, idAt(491_005, 59));
  const last = favourite(carol, idAt(491_016));

  it('span twelve hours from the first one, at any time of day', async () => {
    const next = favourite(dave, idAt(491_017));
    expect(await spans(first, last, next)).to.deep.equal([491_005, 491_005, 491_017]);
  });

  it('continue when their first one is dismissed', async () => {
    const dismissed = happening('NotificationDismissed', { account_id: alice, id: idAt(491_005, 59) });
    expect(await spans(first, dismissed, last)).to.deep.equal([491_005]);
  });

  it('start again for a request that becomes a follow after newer follows', async () => {
    const events = [
      following('FollowRequested', carol, idAt(491_003)),
      following('AccountFollowed', bob, idAt(491_005)),
      following('FollowRequestAuthorized', carol, idAt(491_003)),
    ];
    expect(await spans(...events)).to.deep.equal([491_003, 491_005]);
  });
});
