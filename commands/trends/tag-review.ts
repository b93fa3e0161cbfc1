import type { TagReviewEvent } from '../../src/events/tags.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import { invalid } from '../../src/kernel/errors.ts';
import { parseTagName } from '../../src/kernel/tag-name.ts';

/** Stream `tag-<name>`: whether staff was asked about it, what it said (null for nothing yet), and how it spells it. */
export interface TagReview {
  requested: boolean;
  trendable: boolean | null;
  name: string | null;
}

export const tagReview: Decider<TagReview, TagReviewEvent> = {
  initialState: { requested: false, trendable: null, name: null },
  evolve: (state, { type, data }) => {
    if (type === 'TagReviewRequested') return { ...state, requested: true };
    return type === 'TagReviewed' ? { ...state, trendable: data.trendable } : { ...state, name: data.name };
  },
};

/** Once, and not where staff has said something. Pure. */
export function decideRequestReview(
  { requested, trendable }: TagReview,
  data: { tag: string; name: string; among: string[] },
): TagReviewEvent[] {
  return requested || trendable !== null ? [] : [{ type: 'TagReviewRequested', data }];
}

/** What staff changes: what is undefined stays. */
export interface TagChanges {
  trendable?: boolean | undefined;
  name?: string | undefined;
}

/** Pure. @throws RookeryError `invalid` for a spelling of another hashtag */
export function decideChangeTag(
  state: TagReview,
  tag: string,
  { trendable, name }: TagChanges,
): TagReviewEvent[] {
  if (name !== undefined && parseTagName(name)?.normal !== tag) {
    throw invalid('Validation failed: Display name does not match the previous name', {
      display_name: [{ error: 'ERR_INVALID', description: 'does not match the previous name' }],
    });
  }
  return [
    ...(trendable === undefined || trendable === state.trendable
      ? []
      : [{ type: 'TagReviewed', data: { tag, trendable } } as const]),
    ...(name === undefined || name === state.name
      ? []
      : [{ type: 'TagSpelled', data: { tag, name } } as const]),
  ];
}
