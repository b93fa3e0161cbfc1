import { decideBlock, decideChange, decideUnblock, ipBlock } from '#commands/admin/ip-blocks/ip-block.ts';
import type { IpBlockEvent, IpRules } from '#events/ip-blocks.ts';
import { given } from '../support/given.ts';

const digest = '0'.repeat(64);
const rules: IpRules = { severity: 'sign_up_block', comment: 'why', expires_at: null };
const block = { id: '1', key_id: '2', digest, ip: '192.0.2.0/24', ...rules };
const blocked: IpBlockEvent = { type: 'IpBlocked', data: block };
const unblocked: IpBlockEvent = { type: 'IpUnblocked', data: { id: '1', key_id: '2', digest } };

describe('An IP block', () => {
  it('is created once, and the same block may be repeated', () => {
    given(ipBlock).when(decideBlock, block).then([blocked]);
    given(ipBlock, blocked).when(decideBlock, block).then([]);
    given(ipBlock, blocked)
      .when(decideBlock, { ...block, id: '2' })
      .thenRefuses('invalid', /Ip has already been taken/);
    given(ipBlock, blocked, unblocked).when(decideBlock, block).then([blocked]);
  });

  it('records only changed rules', () => {
    given(ipBlock, blocked)
      .when(decideChange, digest, { ...rules, comment: 'because' })
      .then([{ type: 'IpBlockChanged', data: { id: '1', key_id: '2', digest, comment: 'because' } }]);
    given(ipBlock, blocked).when(decideChange, digest, rules).then([]);
    given(ipBlock)
      .when(decideChange, digest, rules)
      .thenRefuses('not_found', /Record not found/);
  });

  it('ends only while it exists', () => {
    given(ipBlock, blocked).when(decideUnblock, digest).then([unblocked]);
    given(ipBlock, blocked, unblocked)
      .when(decideUnblock, digest)
      .thenRefuses('not_found', /Record not found/);
  });
});
