import { expect } from 'chai';
import {
  decideAcceptQuote,
  decideProposeQuote,
  decideRefuseQuote,
  decideWithdraw,
  status,
} from '#commands/statuses/index.ts';
import { StatusCreated, type StatusData, type StatusEvent } from '#events/statuses.ts';
import { given } from '../support/given.ts';

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
  given(status, ...past).when(decideProposeQuote, of, stamp);
const accept = (past: StatusEvent[], authorization: string | null = STAMP, of = quoted) =>
  given(status, ...past).when(decideAcceptQuote, of, { acceptId: '9', authorization });
const accepted: StatusEvent = { type: 'QuoteAccepted', data: { ...pair, accept_id: '9', local: false } };
const proposed: StatusEvent = { type: 'QuoteProposed', data: { ...pair, authorization: STAMP } };
const rejected: StatusEvent = { type: 'QuoteRejected', data: pair };
const revoked: StatusEvent = { type: 'QuoteRevoked', data: pair };

describe('The quote in a remote post', () => {
  it('has one proposed authorization at a time until it is settled', () => {
    propose([waiting]).then([proposed]);
    propose([written(null)]).then([proposed]);
    propose([waiting, proposed]).then([]);
    expect(propose([waiting, proposed], quoted, `${STAMP}1`).decided()).to.have.length(1);
    propose([waiting], other).then([]);
    for (const past of [[], [waiting, accepted], [waiting, rejected], [waiting, revoked]]) {
      propose(past).then([]);
    }
  });

  it('is accepted by the proposed authorization or by the quoted author', () => {
    accept([waiting, proposed]).then([accepted]);
    accept([waiting]).then([]);
    accept([waiting, proposed], `${STAMP}1`).then([]);
    accept([waiting], null).then([accepted]);
    accept([written(null)], null).then([accepted]);
    accept([waiting], null, other).then([]);
    for (const end of [accepted, rejected, revoked]) {
      accept([waiting, proposed, end]).then([]);
      accept([waiting, end], null).then([]);
    }
  });

  it('is rejected while it is pending, and revoked after it was accepted', () => {
    const refuse = (past: StatusEvent[]) => given(status, ...past).when(decideRefuseQuote, quoted);
    const withdraw = (past: StatusEvent[]) => given(status, ...past).when(decideWithdraw, quoted);
    refuse([waiting]).then([rejected]);
    refuse([waiting, accepted]).then([revoked]);
    withdraw([waiting, proposed]).then([revoked]);
    withdraw([waiting, accepted]).then([revoked]);
    for (const past of [[], [written(null)], [waiting, rejected], [waiting, accepted, revoked]]) {
      refuse(past).then([]);
      withdraw(past).then([]);
    }
  });
});
