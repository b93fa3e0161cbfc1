import { expect } from 'chai';
import {
  decideBlock,
  decideChange,
  decideUnblock,
  ipBlock,
} from '../../commands/admin/ip-blocks/ip-block.ts';
import type { IpBlockEvent, IpRules } from '../../src/events/ip-blocks.ts';
import { fold } from '../../src/kernel/decider.ts';

const digest = '0'.repeat(64);
const rules: IpRules = { severity: 'sign_up_block', comment: 'why', expires_at: null };
const block = { id: '1', key_id: '2', digest, ip: '192.0.2.0/24', ...rules };
const blocked: IpBlockEvent = { type: 'IpBlocked', data: block };
const unblocked: IpBlockEvent = { type: 'IpUnblocked', data: { id: '1', key_id: '2', digest } };
const given = (...events: IpBlockEvent[]) => fold(ipBlock, events);

describe('An IP block', () => {
  it('is created once, and the same block may be repeated', () => {
    expect(decideBlock(given(), block)).to.deep.equal([blocked]);
    expect(decideBlock(given(blocked), block)).to.deep.equal([]);
    expect(() => decideBlock(given(blocked), { ...block, id: '2' })).to.throw('Ip has already been taken');
    expect(decideBlock(given(blocked, unblocked), block)).to.deep.equal([blocked]);
  });

  it('records only changed rules', () => {
    expect(decideChange(given(blocked), digest, { ...rules, comment: 'because' })).to.deep.equal([
      { type: 'IpBlockChanged', data: { id: '1', key_id: '2', digest, comment: 'because' } },
    ]);
    expect(decideChange(given(blocked), digest, rules)).to.deep.equal([]);
    expect(() => decideChange(given(), digest, rules)).to.throw('Record not found');
  });

  it('ends only while it exists', () => {
    expect(decideUnblock(given(blocked), digest)).to.deep.equal([unblocked]);
    expect(() => decideUnblock(given(blocked, unblocked), digest)).to.throw('Record not found');
  });
});
