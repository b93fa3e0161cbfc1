import { customEmojiStream, MAX_CATEGORY_LENGTH } from '#events/custom-emojis.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import { isShortcode } from '#mastodon/shortcodes.ts';
import { useCase } from '../use-case.ts';
import {
  customEmoji,
  type CustomEmojiLooks,
  decideDelete,
  decideImport,
  decideUpdate,
} from './custom-emoji.ts';

/** A picture from a folder or an archive, with its settings. */
export interface ImportedEmoji {
  shortcode: string;
  data: Buffer;
  category: string | null;
  visible_in_picker: boolean;
}

/**
 * Creates an emoji from a picture: checks and stores it, then gives it the name.
 * @returns false when the name is taken, which changes nothing unless `overwrite`
 * @throws RookeryError `invalid` for an unusable name or picture
 */
export async function importEmoji(
  ctx: CommandContext,
  { shortcode, data, category, visible_in_picker }: ImportedEmoji,
  { overwrite }: { overwrite: boolean },
): Promise<boolean> {
  if (!isShortcode(shortcode)) {
    throw invalid('Shortcode must be two or more letters, digits and underscores');
  }
  assertCategory(category);
  const image = await storeImage(ctx, data);
  const emoji = { id: ctx.newId(), shortcode, category, visible_in_picker, image };
  const { state, events } = await ctx.execute(customEmojiStream(shortcode), customEmoji, (before) =>
    decideImport(before, emoji, overwrite),
  );
  return events.length > 0 || (overwrite && state !== null);
}

type EmojiChanges = { shortcode: string } & Partial<Omit<CustomEmojiLooks, 'image'>>;

/** @throws RookeryError `not_found`; `invalid` for a category that is too long */
export const updateEmoji = useCase({
  prepare: (_ctx, { shortcode, ...changes }: EmojiChanges) => {
    assertCategory(changes.category ?? null);
    return { shortcode, changes };
  },
  stream: ({ shortcode }) => customEmojiStream(shortcode),
  decider: customEmoji,
  decide: (state, { shortcode, changes }) => decideUpdate(state, shortcode, changes),
});

/** @throws RookeryError `not_found` */
export const deleteEmoji = useCase({ stream: customEmojiStream, decider: customEmoji, decide: decideDelete });

function assertCategory(category: string | null): void {
  if (category === null) return;
  if (category.trim() === '' || category.length > MAX_CATEGORY_LENGTH) {
    throw invalid(`Category must have 1 to ${MAX_CATEGORY_LENGTH} characters`);
  }
}

async function storeImage(
  { services: { images, media } }: CommandContext,
  data: Buffer,
): Promise<CustomEmojiLooks['image']> {
  const processed = await images.processEmoji(data);
  const original = await media.put(processed.original.data, processed.original);
  if (processed.static === processed.original) return { original, static: original };
  return { original, static: await media.put(processed.static.data, processed.static) };
}
