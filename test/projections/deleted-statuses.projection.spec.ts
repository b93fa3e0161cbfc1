import { expect } from 'chai';
import { AccountCreated } from '#events/accounts.ts';
import { StatusFavourited, StatusReblogged } from '#events/interactions.ts';
import { StatusCreated } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { notifications } from '#projections/notifications/index.ts';
import { statuses } from '#projections/statuses/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const AUTHOR = '1';
const READER = '2';

const account = (id: string): DomainEvent => ({
  type: 'AccountCreated',
  data: { ...AccountCreated.samples[1], id, domain: null },
});
const post = (id: string, more: object = {}): DomainEvent => ({
  type: 'StatusCreated',
  data: {
    ...StatusCreated.samples[2],
    id,
    account_id: AUTHOR,
    conversation_id: id,
    poll: null,
    tags: [],
    mentions: [],
    ...more,
  },
});
const quote = (id: string, quoted: string): DomainEvent =>
  post(id, { account_id: READER, quote: { id: quoted, account_id: AUTHOR, state: 'accepted' } });
const reply = (id: string, to: string): DomainEvent =>
  post(id, { account_id: READER, in_reply_to_id: to, in_reply_to_account_id: AUTHOR, conversation_id: to });
const target = { account_id: READER, status_account_id: AUTHOR };
const reblog = (id: string, status_id: string): DomainEvent => ({
  type: 'StatusReblogged',
  data: { ...StatusReblogged.samples[1], ...target, id, status_id },
});
const favourite = (id: string, status_id: string): DomainEvent => ({
  type: 'StatusFavourited',
  data: { ...StatusFavourited.samples[1], ...target, id, status_id },
});
const deleted = (id: string, account_id: string, to: string | null = null): DomainEvent => ({
  type: 'StatusDeleted',
  data: { id, account_id, visibility: 'public', in_reply_to_id: to },
});

describe('The read models after deletions', function () {
  this.timeout(120_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  const written = [post('10'), quote('20', '10'), reply('30', '10'), reblog('40', '10'), post('50')];

  for (const [order, gone] of [
    ['a quote before its quoted post', [deleted('20', READER), deleted('10', AUTHOR)]],
    ['a quoted post before its quote', [deleted('10', AUTHOR), deleted('20', READER)]],
  ] as const) {
    it(`count no quotes of a deleted post, for ${order}`, async () => {
      const rows = await project(db, statuses, [...written, ...gone, deleted('30', READER, '10')]);
      const counts = rows['status_stats']?.map((row) => [row['status_id'], row['quotes_count']]);
      expect(counts).to.deep.equal([[10, 0]]);
      expect(rows['statuses']?.filter((row) => row['deleted']).map((row) => row['id'])).to.deep.equal([
        10, 20, 30,
      ]);
    });
  }

  it('show a reply without its deleted parent, and keep the reblog of another post', async () => {
    const events = [...written, reblog('60', '50'), deleted('10', AUTHOR), favourite('70', '50')];
    const rows = await project(db, statuses, events);
    const bodies = new Map(rows['statuses']?.map((row) => [row['id'], String(row['body'])]));
    expect(bodies.get(30)).to.include('"in_reply_to_id":null');
    expect(rows['status_stats']?.find((row) => row['status_id'] === 50)).to.include({
      reblogs_count: 1,
      favourites_count: 1,
    });
  });

  it('forget the notifications about a deleted post only', async () => {
    const rows = await project(db, notifications, [
      ...[account(AUTHOR), account(READER), ...written],
      ...[favourite('60', '10'), favourite('70', '50'), deleted('10', AUTHOR)],
    ]);
    expect(rows['notifications']?.map((row) => [row['id'], row['type']])).to.deep.equal([
      [20, 'quote'],
      [70, 'favourite'],
    ]);
  });
});
