import { expect } from 'chai';
import { decideBlockDomain, decideUnblockDomain, domainBlock } from '#commands/domain-blocks/domain-block.ts';
import { type UserDomainBlockEvent, userDomainBlockEvents } from '#events/domain-blocks.ts';
import { domainOf } from '#mastodon/domain-name.ts';
import { given } from '../support/given.ts';

const block = { account_id: '109500000000000001', domain: 'far.example' };
const blocked: UserDomainBlockEvent = { type: 'UserDomainBlocked', data: { id: '1', ...block } };
const unblocked: UserDomainBlockEvent = { type: 'UserDomainUnblocked', data: block };

describe('Blocking a domain', () => {
  it('blocks a domain once, and again after it was unblocked', () => {
    given(domainBlock)
      .when(decideBlockDomain, { id: '1', ...block })
      .then([blocked]);
    given(domainBlock, blocked)
      .when(decideBlockDomain, { id: '2', ...block })
      .then([]);
    given(domainBlock, blocked, unblocked)
      .when(decideBlockDomain, { id: '1', ...block })
      .then([blocked]);
  });

  it('unblocks only a domain that is blocked', () => {
    given(domainBlock, blocked).when(decideUnblockDomain, block).then([unblocked]);
    given(domainBlock).when(decideUnblockDomain, block).then([]);
    given(domainBlock, blocked, unblocked).when(decideUnblockDomain, block).then([]);
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
