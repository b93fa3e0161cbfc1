import { expect } from 'chai';
import { decideVote } from '#commands/polls.ts';
import { decideClosePoll } from '#commands/statuses/close-poll.ts';
import { status } from '#commands/statuses/status.ts';
import { StatusCreated, type StatusData, type StatusEvent } from '#events/statuses.ts';
import { fold } from '#kernel/decider.ts';
import { polls } from '#projections/polls.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project, type Rows } from '../support/projection.ts';

const data = StatusCreated.samples[2] as unknown as StatusData;
const created: StatusEvent = { type: 'StatusCreated', data };
const poll = data.poll ?? { id: '', options: [], multiple: false, hide_totals: false, expires_at: null };
const over = { pollId: poll.id, closeId: '900', now: '2026-11-22T08:00:00.000Z' };

describe('The end of a poll', () => {
  it('is recorded once, at its time', () => {
    const open = fold(status, [created]);
    expect(decideClosePoll(open, { ...over, now: '2026-11-22T07:59:59.999Z' })).to.deep.equal([]);
    const closed = decideClosePoll(open, over);
    expect(closed.map(({ type }) => type)).to.deep.equal(['PollClosed']);
    expect(decideClosePoll(fold(status, [created, ...closed]), over)).to.deep.equal([]);
  });

  it('is ignored for a replaced poll and for a deleted post', () => {
    const edit = { edit_id: '901', edited_at: '2026-11-21T09:00:00.000Z' };
    const replaced = { ...data, ...edit, poll: { ...poll, id: '902' } };
    const edited = fold(status, [created, { type: 'StatusEdited', data: replaced }]);
    expect(decideClosePoll(edited, over)).to.deep.equal([]);
    const { id, account_id, visibility, in_reply_to_id } = data;
    const gone: StatusEvent = { type: 'StatusDeleted', data: { id, account_id, visibility, in_reply_to_id } };
    expect(decideClosePoll(fold(status, [created, gone]), over)).to.deep.equal([]);
  });

  it('ends voting to the millisecond, whatever the read model contains', () => {
    const facts = {
      poll_round: poll.id,
      status_id: data.id,
      poll_account_id: data.account_id,
      poll_options: JSON.stringify(poll.options),
      poll_multiple: false,
      poll_expires_at: poll.expires_at,
      poll_expired: false,
    };
    const cast = (now: string) =>
      decideVote({ voted: false, choices: [] }, { id: '1', now, accountId: '2', choices: ['0'] }, facts);
    expect(cast('2026-11-22T07:59:59.999Z')).to.have.length(1);
    expect(() => cast('2026-11-22T08:00:00.000Z')).to.throw('already ended');
  });
});

describe('The read model of polls', () => {
  let db: Database;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  const voted = (accountId: string, choices: number[], more: { more?: true; stranger_of?: string } = {}) => ({
    type: 'VoteCast',
    data: {
      id: `8${accountId}`,
      poll_id: poll.id,
      status_id: data.id,
      account_id: accountId,
      choices,
      cast_at: '2026-11-21T09:00:00.000Z',
      ...more,
    },
  });
  const talliesIn = ({ poll_tallies: rows }: Rows) => rows?.map(({ choice, votes }) => [choice, votes]);

  it('adds votes, and closes polls', async () => {
    const { polls: rows, poll_tallies: tallies } = await project(db, polls, [
      created,
      voted('1', [0]),
      voted('2', [0, 1]),
      { type: 'PollClosed', data: { ...data, poll_id: poll.id, close_id: '1', closed_at: over.now } },
    ]);
    expect(rows?.map(({ closed, voters_count }) => ({ closed, voters_count }))).to.deep.equal([
      { closed: true, voters_count: 2 },
    ]);
    expect(tallies?.map(({ choice, votes }) => [choice, votes])).to.have.deep.members([
      [0, 2],
      [1, 1],
    ]);
  });

  it('accepts the choices of one voter one by one', async () => {
    const rows = await project(db, polls, [
      created,
      voted('1', [1]),
      voted('2', [1]),
      voted('1', [0], { more: true }),
      voted('1', [2], { more: true }),
    ]);
    expect(rows['poll_votes']?.map(({ account_id, choices }) => [account_id, choices])).to.have.deep.members([
      [1, [1, 0, 2]],
      [2, [1]],
    ]);
    expect(talliesIn(rows)).to.have.deep.members([
      [0, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(rows['polls']?.[0]).to.include({ voters_count: 2 });
  });

  it('counts the voters of a site who are strangers', async () => {
    const rows = await project(db, polls, [
      created,
      voted('1', [1], { stranger_of: 'far.example' }),
      voted('2', [1], { stranger_of: 'other.example' }),
      voted('3', [1]),
      voted('4', [0], { stranger_of: 'far.example' }),
      voted('4', [2], { more: true }),
    ]);
    expect(rows['poll_strangers']?.map(({ site, voters }) => [site, voters])).to.have.deep.members([
      ['far.example', 2],
      ['other.example', 1],
    ]);
  });

  it('uses the counts of another server from then on', async () => {
    const tallied = (votes: number[], voters: number) => ({
      type: 'PollTallied',
      data: { id: data.id, account_id: data.account_id, poll_id: poll.id, votes, voters },
    });
    const rows = await project(db, polls, [
      created,
      tallied([1, 1], 2),
      voted('1', [0]),
      tallied([5, 3], 8),
      voted('2', [1]),
    ]);
    expect(talliesIn(rows)).to.have.deep.members([
      [0, 5],
      [1, 4],
    ]);
    expect(rows['polls']?.[0]).to.include({ voters_count: 9 });
  });
});
