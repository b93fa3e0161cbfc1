import { expect } from 'chai';
import { ReplyLinked, StatusCreated } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { statuses } from '#projections/statuses/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const AUTHOR = '1';

const post = (id: string, more: object = {}): DomainEvent => ({
  type: 'StatusCreated',
  data: {
    ...StatusCreated.samples[2],
    id,
    account_id: AUTHOR,
    local: false,
    conversation_id: id,
    poll: null,
    tags: [],
    ...more,
  },
});
const reply = (id: string, to: string, thread: string, more: object = {}): DomainEvent =>
  post(id, { in_reply_to_id: to, in_reply_to_account_id: AUTHOR, conversation_id: thread, ...more });
const awaiting = (id: string, more: object = {}): DomainEvent =>
  post(id, { in_reply_to_uri: 'https://far.example/notes/1', ...more });
const linked = (id: string, to: string, thread: string, more: object = {}): DomainEvent => ({
  type: 'ReplyLinked',
  data: {
    ...ReplyLinked.samples[1],
    id,
    account_id: AUTHOR,
    in_reply_to_id: to,
    in_reply_to_account_id: AUTHOR,
    conversation_id: thread,
    ...more,
  },
});
const deleted = (id: string, to: string | null = null): DomainEvent => ({
  type: 'StatusDeleted',
  data: { id, account_id: AUTHOR, visibility: 'public', in_reply_to_id: to },
});

describe('The read model of posts, for a parent that arrives after its reply', function () {
  this.timeout(120_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  const rowsOf = async (...events: DomainEvent[]) => project(db, statuses, events);
  /** By post: the parent, the parent that clients see, the thread, and the URI that the post waits for. */
  const threadsOf = async (...events: DomainEvent[]): Promise<Record<string, unknown[]>> => {
    const { statuses: rows = [] } = await rowsOf(...events);
    return Object.fromEntries(
      rows.map((row) => {
        const told = (JSON.parse(`{${String(row['body'])}}`) as Record<string, unknown>)['in_reply_to_id'];
        return [
          String(row['id']),
          [row['in_reply_to_id'], told, row['conversation_id'], row['in_reply_to_uri']],
        ];
      }),
    );
  };

  it('joins the reply and its descendants to the thread of the parent', async () => {
    const events = [awaiting('20'), reply('30', '20', '20'), post('10'), linked('20', '10', '10')];
    expect(await threadsOf(...events)).deep.equal({
      10: [null, null, 10, null],
      20: [10, '10', 10, null],
      30: [20, '20', 10, null],
    });
    const { status_stats: counts } = await rowsOf(...events);
    expect(counts?.map((row) => [row['status_id'], row['replies_count']])).deep.equal([
      [10, 1],
      [20, 1],
    ]);
  });

  it('joins posts that were written for the earlier thread', async () => {
    const late = [reply('40', '30', '20'), reply('50', '40', '20')];
    const threads = await threadsOf(
      ...[awaiting('20'), reply('30', '20', '20'), awaiting('10'), linked('20', '10', '10')],
      ...[late[0] as DomainEvent, post('5'), linked('10', '5', '5'), late[1] as DomainEvent],
    );
    expect(Object.values(threads).map(([, , thread]) => thread)).deep.equal([5, 5, 5, 5, 5, 5]);
  });

  it('leaves a direct reply, and its descendants, in their own thread', async () => {
    const threads = await threadsOf(
      ...[awaiting('20', { visibility: 'direct' }), reply('30', '20', '20'), post('10')],
      linked('20', '10', '20', { visibility: 'direct' }),
    );
    expect(threads).deep.include({ 20: [10, '10', 20, null], 30: [20, '20', 20, null] });
    const { status_stats: counts } = await rowsOf(
      ...[awaiting('20', { visibility: 'direct' }), post('10')],
      linked('20', '10', '20', { visibility: 'direct' }),
    );
    expect(counts).deep.equal([]);
  });

  it('names no deleted parent, before the link or after it', async () => {
    const [first, second] = [awaiting('20'), post('10')];
    const link = linked('20', '10', '10');
    for (const events of [
      [first, second, deleted('10'), link],
      [first, second, link, deleted('10')],
    ]) {
      expect((await threadsOf(...events))['20']).deep.equal([10, null, 10, null]);
    }
  });

  it('decreases the count when the reply is deleted', async () => {
    const { status_stats: counts } = await rowsOf(
      ...[awaiting('20'), post('10'), linked('20', '10', '10'), deleted('20', '10')],
    );
    expect(counts?.map((row) => row['replies_count'])).deep.equal([0]);
  });
});
