import type { TagReviewEvent } from '#events/tags.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid } from '#kernel/errors.ts';
import { parseTagName } from '#mastodon/tag-name.ts';

/** Stream `tag-<name>`: the decision of staff (null for none yet), and their spelling of the hashtag. */
export interface TagReview {
  trendable: boolean | null;
  name: string | null;
}

export const tagReview: Decider<TagReview, TagReviewEvent> = {
  initialState: { trendable: null, name: null },
  evolve: (state, { type, data }) => {
    if (type === 'TagReviewRequested') return state;
    return type === 'TagReviewed' ? { ...state, trendable: data.trendable } : { ...state, name: data.name };
  },
};

/** Undefined fields keep their value. */
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
