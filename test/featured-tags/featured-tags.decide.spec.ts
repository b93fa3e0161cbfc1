import { expect } from 'chai';
import {
  decideFeature,
  decideUnfeature,
  decideUnfeatureById,
  featuredTags,
} from '../../commands/featured-tags/featured-tags.ts';
import type { FeaturedTagEvent } from '../../src/events/tags.ts';
import { fold } from '../../src/kernel/decider.ts';
import { MAX_FEATURED_TAGS } from '../../src/mastodon/limits.ts';

const ALICE = '115500000000000000';
const featured = (id: string, tag: string): FeaturedTagEvent => ({
  type: 'TagFeatured',
  data: { id, account_id: ALICE, tag, name: tag },
});
const unfeatured = (id: string, tag: string): FeaturedTagEvent => ({
  type: 'TagUnfeatured',
  data: { id, account_id: ALICE, tag },
});
const command = { id: '99', accountId: ALICE, tag: { name: 'Cats', normal: 'cats' } };
const given = (...events: FeaturedTagEvent[]) => fold(featuredTags, events);
const ten = Array.from({ length: MAX_FEATURED_TAGS }, (_, n) => featured(String(n + 1), `tag${n + 1}`));

describe('Deciding about featured hashtags', () => {
  it('features a hashtag once, with the name as typed', () => {
    expect(decideFeature(given(), command)).to.deep.equal([
      { type: 'TagFeatured', data: { id: '99', account_id: ALICE, tag: 'cats', name: 'Cats' } },
    ]);
    expect(decideFeature(given(featured('1', 'cats')), command)).to.deep.equal([]);
  });

  it('refuses an eleventh hashtag until one is removed', () => {
    expect(() => decideFeature(given(...ten), command)).to.throw('maximum number');
    expect(decideFeature(given(...ten.slice(1)), command)).to.have.length(1);
    expect(decideFeature(given(...ten, unfeatured('4', 'tag4')), command)).to.have.length(1);
    const again = { ...command, tag: { name: 'TAG4', normal: 'tag4' } };
    expect(decideFeature(given(...ten), again)).to.deep.equal([]);
  });

  it('removes a hashtag by its name or its id', () => {
    const state = given(featured('1', 'cats'), featured('2', 'dogs'));
    expect(decideUnfeature(state, ALICE, 'dogs')).to.deep.equal([unfeatured('2', 'dogs')]);
    expect(decideUnfeature(state, ALICE, 'birds')).to.deep.equal([]);
    expect(decideUnfeatureById(state, ALICE, '1')).to.deep.equal([unfeatured('1', 'cats')]);
    expect(() => decideUnfeatureById(state, ALICE, '3')).to.throw('not found');
  });
});
