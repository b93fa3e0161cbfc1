import { expect } from 'chai';
import {
  decideBlock,
  decideChange,
  decideUnblock,
  domainBlock,
  isStricter,
} from '../../commands/admin/domain-blocks/domain-block.ts';
import type { DomainBlockEvent, DomainRules, DomainSeverity } from '../../src/events/admin-domain-blocks.ts';
import { fold } from '../../src/kernel/decider.ts';

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
const given = (...events: DomainBlockEvent[]) => fold(domainBlock, events);

describe('A domain block', () => {
  it('is created once', () => {
    expect(decideBlock(given(), { ...named, ...rules })).to.deep.equal([blocked]);
    expect(decideBlock(given(blocked, unblocked), { ...named, ...rules })).to.deep.equal([blocked]);
    expect(() => decideBlock(given(blocked), { ...named, ...rules })).to.throw('Somebody else');
  });

  it('records only changed rules', () => {
    const change = (state: ReturnType<typeof given>, changes: Partial<DomainRules>) =>
      decideChange(state, 'bad.example', changes);
    expect(change(given(blocked), { severity: 'suspend', reject_reports: true })).to.deep.equal([suspended]);
    expect(change(given(blocked, suspended), { severity: 'suspend' })).to.deep.equal([]);
    expect(change(given(blocked), { private_comment: null })).to.deep.equal([
      { type: 'DomainBlockChanged', data: { ...named, private_comment: null } },
    ]);
    expect(() => change(given(), {})).to.throw('Record not found');
  });

  it('ends only while it exists', () => {
    expect(decideUnblock(given(blocked), 'bad.example')).to.deep.equal([unblocked]);
    expect(() => decideUnblock(given(blocked, unblocked), 'bad.example')).to.throw('Record not found');
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
