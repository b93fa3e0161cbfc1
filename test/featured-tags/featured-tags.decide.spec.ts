import { expect } from 'chai';
import {
  decideFeature,
  decideUnfeature,
  decideUnfeatureById,
  featuredTags,
} from '#commands/featured-tags/featured-tags.ts';
import type { FeaturedTagEvent } from '#events/tags.ts';
import { MAX_FEATURED_TAGS } from '#mastodon/limits.ts';
import { given } from '../support/given.ts';

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
const ten = Array.from({ length: MAX_FEATURED_TAGS }, (_, n) => featured(String(n + 1), `tag${n + 1}`));

describe('Deciding about featured hashtags', () => {
  it('features a hashtag once, with the name as typed', () => {
    given(featuredTags)
      .when(decideFeature, command)
      .then([{ type: 'TagFeatured', data: { id: '99', account_id: ALICE, tag: 'cats', name: 'Cats' } }]);
    given(featuredTags, featured('1', 'cats')).when(decideFeature, command).then([]);
  });

  it('refuses an eleventh hashtag until one is removed', () => {
    given(featuredTags, ...ten)
      .when(decideFeature, command)
      .thenRefuses('invalid', /maximum number/);
    expect(
      given(featuredTags, ...ten.slice(1))
        .when(decideFeature, command)
        .decided(),
    ).to.have.length(1);
    expect(
      given(featuredTags, ...ten, unfeatured('4', 'tag4'))
        .when(decideFeature, command)
        .decided(),
    ).to.have.length(1);
    const again = { ...command, tag: { name: 'TAG4', normal: 'tag4' } };
    given(featuredTags, ...ten)
      .when(decideFeature, again)
      .then([]);
  });

  it('removes a hashtag by its name or its id', () => {
    const state = given(featuredTags, featured('1', 'cats'), featured('2', 'dogs'));
    state.when(decideUnfeature, ALICE, 'dogs').then([unfeatured('2', 'dogs')]);
    state.when(decideUnfeature, ALICE, 'birds').then([]);
    state.when(decideUnfeatureById, ALICE, '1').then([unfeatured('1', 'cats')]);
    state.when(decideUnfeatureById, ALICE, '3').thenRefuses('not_found', /not found/);
  });
});
