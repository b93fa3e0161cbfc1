import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { removeReplacedPictures } from '#commands/accounts/index.ts';
import { AccountUpdated } from '#events/accounts.ts';
import { reactor } from '#kernel/reactor.ts';

const REPLACED_PICTURES = 'replaced-pictures';
/**
 * Seconds during which recent replies may still link to the old picture, and its owner may choose it again.
 */
const KEPT_FOR = 3_600;

/** Avatars and headers that a local account replaced or removed. */
export const replacedPictures = reactor({
  name: REPLACED_PICTURES,
  on: [AccountUpdated],
  ignores: ({ data: { avatar, header } }) => ![avatar, header].some(isOurs),
  react: async (ctx, { data: { id } }) => {
    const options = { singletonKey: id, after: KEPT_FOR };
    await ctx.services.jobs.enqueue(REPLACED_PICTURES, { account_id: id }, options);
  },
});

/** Remote pictures are addresses; a removed picture may be either. */
const isOurs = (picture: { original: string } | null | undefined): boolean =>
  picture === null || (picture !== undefined && !/^https?:/.test(picture.original));

/** Removes the files of pictures that no profile uses any longer. */
export const removeReplaced: JobDefinition = {
  name: REPLACED_PICTURES,
  work: async (ctx, { account_id: accountId }) => {
    if (typeof accountId === 'string') await removeReplacedPictures(ctx, accountId);
  },
};
