import { expect } from 'chai';
import {
  decideAcceptQuote,
  decideProposeQuote,
  decideRefuseQuote,
  decideWithdraw,
  status,
} from '../../commands/statuses/index.ts';
import { StatusCreated, type StatusData, type StatusEvent } from '../../src/events/statuses.ts';
import { fold } from '../../src/kernel/decider.ts';

const quoted = { id: '5', account_id: '6' };
const other = { id: '7', account_id: '6' };
const sample = StatusCreated.samples[2] as unknown as StatusData;
const pair = { id: sample.id, account_id: sample.account_id, quoted_id: '5', quoted_account_id: '6' };
const STAMP = 'https://far.example/stamps/1';

const written = (quote: StatusData['quote']): StatusEvent => ({
  type: 'StatusCreated',
  data: { ...sample, local: false, quote },
});
const waiting = written({ ...quoted, state: 'pending' });
const propose = (past: StatusEvent[], of = quoted, stamp = STAMP) =>
  decideProposeQuote(fold(status, past), of, stamp);
const accept = (past: StatusEvent[], authorization: string | null = STAMP, of = quoted) =>
  decideAcceptQuote(fold(status, past), of, { acceptId: '9', authorization });
const accepted: StatusEvent = { type: 'QuoteAccepted', data: { ...pair, accept_id: '9', local: false } };
const proposed: StatusEvent = { type: 'QuoteProposed', data: { ...pair, authorization: STAMP } };
const rejected: StatusEvent = { type: 'QuoteRejected', data: pair };
const revoked: StatusEvent = { type: 'QuoteRevoked', data: pair };

describe('The quote in a remote post', () => {
  it('has one proposed authorization at a time until it is settled', () => {
    expect(propose([waiting])).deep.equal([proposed]);
    expect(propose([written(null)])).deep.equal([proposed]);
    expect(propose([waiting, proposed])).deep.equal([]);
    expect(propose([waiting, proposed], quoted, `${STAMP}1`)).to.have.length(1);
    expect(propose([waiting], other)).deep.equal([]);
    for (const past of [[], [waiting, accepted], [waiting, rejected], [waiting, revoked]]) {
      expect(propose(past)).deep.equal([]);
    }
  });

  it('is accepted by the proposed authorization or by the quoted author', () => {
    expect(accept([waiting, proposed])).deep.equal([accepted]);
    expect(accept([waiting])).deep.equal([]);
    expect(accept([waiting, proposed], `${STAMP}1`)).deep.equal([]);
    expect(accept([waiting], null)).deep.equal([accepted]);
    expect(accept([written(null)], null)).deep.equal([accepted]);
    expect(accept([waiting], null, other)).deep.equal([]);
    for (const end of [accepted, rejected, revoked]) {
      expect(accept([waiting, proposed, end])).deep.equal([]);
      expect(accept([waiting, end], null)).deep.equal([]);
    }
  });

  it('is rejected while it is pending, and revoked after it was accepted', () => {
    const refuse = (past: StatusEvent[]) => decideRefuseQuote(fold(status, past), quoted);
    const withdraw = (past: StatusEvent[]) => decideWithdraw(fold(status, past), quoted);
    expect(refuse([waiting])).deep.equal([rejected]);
    expect(refuse([waiting, accepted])).deep.equal([revoked]);
    expect(withdraw([waiting, proposed])).deep.equal([revoked]);
    expect(withdraw([waiting, accepted])).deep.equal([revoked]);
    for (const past of [[], [written(null)], [waiting, rejected], [waiting, accepted, revoked]]) {
      expect(refuse(past)).deep.equal([]);
      expect(withdraw(past)).deep.equal([]);
    }
  });
});
