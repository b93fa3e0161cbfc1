import type { TagFollowEvent } from '#events/tags.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid } from '#kernel/errors.ts';
import type { TagName } from '#mastodon/tag-name.ts';

/** The maximum number of hashtags that an account follows. */
export const MAX_TAG_FOLLOWS = 1_000;

/** Stream `tag-follows-<account>`: the normal names of followed hashtags. */
export type TagFollows = ReadonlySet<string>;

export const tagFollows: Decider<TagFollows, TagFollowEvent> = {
  initialState: new Set(),
  evolve: (state, { type, data }) => {
    if (type === 'TagFollowed') return new Set([...state, data.tag]);
    return new Set([...state].filter((tag) => tag !== data.tag));
  },
};

/**
 * Decides nothing for a hashtag that is followed already. Pure. @throws RookeryError `invalid` past the limit
 */
export function decideFollowTag(
  state: TagFollows,
  { id, accountId, tag }: { id: string; accountId: string; tag: TagName },
): TagFollowEvent[] {
  if (state.has(tag.normal)) return [];
  if (state.size >= MAX_TAG_FOLLOWS) {
    throw invalid(`Validation failed: You cannot follow more than ${MAX_TAG_FOLLOWS} hashtags`);
  }
  return [{ type: 'TagFollowed', data: { id, account_id: accountId, tag: tag.normal, name: tag.name } }];
}

/** Decides nothing for a hashtag that is not followed. Pure. */
export function decideUnfollowTag(state: TagFollows, accountId: string, tag: TagName): TagFollowEvent[] {
  if (!state.has(tag.normal)) return [];
  return [{ type: 'TagUnfollowed', data: { account_id: accountId, tag: tag.normal } }];
}
