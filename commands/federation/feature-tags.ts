import { type FeaturedTagEvent, featuredTagsStream } from '#events/tags.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { MAX_FEATURED_TAGS } from '#mastodon/limits.ts';
import type { TagName } from '#mastodon/tag-name.ts';
import { decideFeature, decideUnfeature, type FeaturedTags, featuredTags } from '../featured-tags/index.ts';
import { changedAnything } from '../use-case.ts';

interface OfAccount {
  accountId: Id;
  newId: () => Id;
}

/** Features a hashtag on the profile of a remote account. @returns whether it is new */
export async function featureRemoteTag(ctx: CommandContext, accountId: Id, tag: TagName): Promise<boolean> {
  const decide = (state: FeaturedTags) => decideFeature(state, { id: ctx.newId(), accountId, tag });
  return change(ctx, accountId, decide);
}

/** @returns whether it was featured */
export const unfeatureRemoteTag = (ctx: CommandContext, accountId: Id, tag: TagName): Promise<boolean> =>
  change(ctx, accountId, (state) => decideUnfeature(state, accountId, tag.normal));

/** Replaces the featured hashtags by those on the account's own server. */
export async function replaceRemoteTags(
  ctx: CommandContext,
  accountId: Id,
  tags: readonly TagName[],
): Promise<void> {
  await change(ctx, accountId, (state) =>
    decideReplace(state, tags, { accountId, newId: () => ctx.newId() }),
  );
}

/** Omits tags past the limit. Pure. */
export function decideReplace(
  state: FeaturedTags,
  tags: readonly TagName[],
  { accountId, newId }: OfAccount,
): FeaturedTagEvent[] {
  const wanted = [...new Map(tags.map((tag) => [tag.normal, tag])).values()].slice(0, MAX_FEATURED_TAGS);
  const isWanted = new Set(wanted.map(({ normal }) => normal));
  const gone = [...state.keys()].filter((normal) => !isWanted.has(normal));
  const left = new Map([...state].filter(([normal]) => isWanted.has(normal)));
  return [
    ...gone.flatMap((normal) => decideUnfeature(state, accountId, normal)),
    ...wanted
      .filter(({ normal }) => !state.has(normal))
      .flatMap((tag) => decideFeature(left, { id: newId(), accountId, tag })),
  ];
}

function change(
  ctx: CommandContext,
  accountId: Id,
  decide: (state: FeaturedTags) => FeaturedTagEvent[],
): Promise<boolean> {
  return changedAnything(ctx.execute(featuredTagsStream(accountId), featuredTags, decide, { step: 'tags' }));
}
