import { expect } from 'chai';
import {
  decideBlockDomain,
  decideUnblockDomain,
  domainBlock,
} from '../../commands/domain-blocks/domain-block.ts';
import { domainOf } from '../../src/mastodon/domain-name.ts';
import { userDomainBlockEvents, type UserDomainBlockEvent } from '../../src/events/domain-blocks.ts';
import { fold } from '../../src/kernel/decider.ts';

const block = { account_id: '109500000000000001', domain: 'far.example' };
const blocked: UserDomainBlockEvent = { type: 'UserDomainBlocked', data: { id: '1', ...block } };
const unblocked: UserDomainBlockEvent = { type: 'UserDomainUnblocked', data: block };
const given = (...events: UserDomainBlockEvent[]) => fold(domainBlock, events);

describe('Blocking a domain', () => {
  it('blocks a domain once, and again after it was unblocked', () => {
    expect(decideBlockDomain(given(), { id: '1', ...block })).to.deep.equal([blocked]);
    expect(decideBlockDomain(given(blocked), { id: '2', ...block })).to.deep.equal([]);
    expect(decideBlockDomain(given(blocked, unblocked), { id: '1', ...block })).to.deep.equal([blocked]);
  });

  it('unblocks only a domain that is blocked', () => {
    expect(decideUnblockDomain(given(blocked), block)).to.deep.equal([unblocked]);
    expect(decideUnblockDomain(given(), block)).to.deep.equal([]);
    expect(decideUnblockDomain(given(blocked, unblocked), block)).to.deep.equal([]);
  });

  for (const { type, version, schema, samples } of userDomainBlockEvents) {
    it(`declares ${type} with a sample that fits its schema`, () => {
      expect(schema.safeParse(samples[version as 1]).success).to.equal(true);
    });
  }
});

describe('The name of a domain', () => {
  it('is stored in lower case and in ASCII', () => {
    expect(domainOf(' Far.Example/ ')).to.equal('far.example');
    expect(domainOf('far.example.')).to.equal('far.example');
    expect(domainOf('münchen.example')).to.equal('xn--mnchen-3ya.example');
    expect(domainOf('nodomain')).to.equal('nodomain');
  });

  it('is refused when it is blank or no valid domain name', () => {
    for (const text of ['', ' ', '/']) expect(() => domainOf(text), text).to.throw("Domain can't be blank");
    for (const text of [
      'far example',
      'https://far.example',
      'far.example/about',
      'alice@far.example',
      'far.example:3000',
      '%66ar.example',
      '.',
      `${'a'.repeat(63)}.`.repeat(4) + 'example',
    ]) {
      expect(() => domainOf(text), text).to.throw('Domain is not a valid domain name');
    }
  });
});
