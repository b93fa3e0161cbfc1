import type { FeaturedTagEvent } from '#events/tags.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { MAX_FEATURED_TAGS } from '#mastodon/limits.ts';
import type { TagName } from '#mastodon/tag-name.ts';

/** Stream `featured-tags-<account>`: the id of each featured tag, by its normal name. */
export type FeaturedTags = ReadonlyMap<string, string>;

export const featuredTags: Decider<FeaturedTags, FeaturedTagEvent> = {
  initialState: new Map(),
  evolve: (state, { type, data }) => {
    const next = new Map(state);
    if (type === 'TagFeatured') next.set(data.tag, data.id);
    else next.delete(data.tag);
    return next;
  },
};

/** Decides nothing when it is featured already. Pure. @throws RookeryError `invalid` past the limit */
export function decideFeature(
  state: FeaturedTags,
  { id, accountId, tag }: { id: string; accountId: string; tag: TagName },
): FeaturedTagEvent[] {
  if (state.has(tag.normal)) return [];
  if (state.size >= MAX_FEATURED_TAGS) {
    throw invalid('Validation failed: You have already featured the maximum number of hashtags');
  }
  return [{ type: 'TagFeatured', data: { id, account_id: accountId, tag: tag.normal, name: tag.name } }];
}

/** Decides nothing when it is not featured. Pure. */
export function decideUnfeature(state: FeaturedTags, accountId: string, normal: string): FeaturedTagEvent[] {
  const id = state.get(normal);
  return id === undefined
    ? []
    : [{ type: 'TagUnfeatured', data: { id, account_id: accountId, tag: normal } }];
}

/**
 * Takes the id of the featured tag. Pure. @throws RookeryError `not_found` when the account has none with
 * that id
 */
export function decideUnfeatureById(state: FeaturedTags, accountId: string, id: string): FeaturedTagEvent[] {
  const found = [...state].find(([, featuredId]) => featuredId === id);
  if (!found) throw notFound();
  return decideUnfeature(state, accountId, found[0]);
}
