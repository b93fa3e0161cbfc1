import { expect } from 'chai';
import {
  decideBlock,
  decideChange,
  decideUnblock,
  domainBlock,
  isStricter,
} from '#commands/admin/domain-blocks/domain-block.ts';
import type { DomainBlockEvent, DomainRules, DomainSeverity } from '#events/admin-domain-blocks.ts';
import { type Given, given } from '../support/given.ts';

const rules: DomainRules = {
  severity: 'silence',
  reject_media: false,
  reject_reports: true,
  private_comment: 'why',
  public_comment: null,
  obfuscate: false,
};
const named = { id: '1', domain: 'bad.example' };
const blocked: DomainBlockEvent = { type: 'DomainBlocked', data: { ...named, ...rules } };
const suspended: DomainBlockEvent = { type: 'DomainBlockChanged', data: { ...named, severity: 'suspend' } };
const unblocked: DomainBlockEvent = { type: 'DomainUnblocked', data: named };

describe('A domain block', () => {
  it('is created once', () => {
    given(domainBlock)
      .when(decideBlock, { ...named, ...rules })
      .then([blocked]);
    given(domainBlock, blocked, unblocked)
      .when(decideBlock, { ...named, ...rules })
      .then([blocked]);
    given(domainBlock, blocked)
      .when(decideBlock, { ...named, ...rules })
      .thenRefuses('conflict', /Somebody else/);
  });

  it('records only changed rules', () => {
    const change = (state: Given<Parameters<typeof decideChange>[0]>, changes: Partial<DomainRules>) =>
      state.when(decideChange, 'bad.example', changes);
    change(given(domainBlock, blocked), { severity: 'suspend', reject_reports: true }).then([suspended]);
    change(given(domainBlock, blocked, suspended), { severity: 'suspend' }).then([]);
    change(given(domainBlock, blocked), { private_comment: null }).then([
      { type: 'DomainBlockChanged', data: { ...named, private_comment: null } },
    ]);
    change(given(domainBlock), {}).thenRefuses('not_found', /Record not found/);
  });

  it('ends only while it exists', () => {
    given(domainBlock, blocked).when(decideUnblock, 'bad.example').then([unblocked]);
    given(domainBlock, blocked, unblocked)
      .when(decideUnblock, 'bad.example')
      .thenRefuses('not_found', /Record not found/);
  });

  it('is needed only when it is stricter than the block in force', () => {
    const limits = (severity: DomainSeverity, reject_media = false, reject_reports = false) => ({
      severity,
      reject_media,
      reject_reports,
    });
    expect(isStricter(limits('suspend'), limits('suspend', true, true))).to.equal(true);
    expect(isStricter(limits('silence'), limits('suspend'))).to.equal(false);
    expect(isStricter(limits('noop', true), limits('silence'))).to.equal(false);
    expect(isStricter(limits('silence'), limits('noop'))).to.equal(true);
    expect(isStricter(limits('silence'), limits('silence', true))).to.equal(false);
    expect(isStricter(limits('silence', true), limits('silence', true, true))).to.equal(false);
    expect(isStricter(limits('silence', true, true), limits('silence', true))).to.equal(true);
  });
});
