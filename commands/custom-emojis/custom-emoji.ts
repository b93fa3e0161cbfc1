import { isDeepStrictEqual } from 'node:util';
import type { CustomEmojiEvent } from '#events/custom-emojis.ts';
import type { Decider } from '#kernel/decider.ts';
import { RookeryError } from '#kernel/errors.ts';

/** The changeable part of an emoji. `image` contains keys of the media store. */
export interface CustomEmojiLooks {
  category: string | null;
  visible_in_picker: boolean;
  disabled: boolean;
  image: { original: string; static: string };
}

/** Null without an emoji of that name. */
export type CustomEmoji = CustomEmojiLooks | null;

export const customEmoji: Decider<CustomEmoji, CustomEmojiEvent> = {
  initialState: null,
  evolve(state, event) {
    switch (event.type) {
      case 'CustomEmojiCreated': {
        const { category, visible_in_picker, image } = event.data;
        return { category, visible_in_picker, image, disabled: false };
      }
      case 'CustomEmojiUpdated': {
        if (!state) return state;
        const { category, visible_in_picker, image, disabled } = event.data;
        return {
          category: category === undefined ? state.category : category,
          visible_in_picker: visible_in_picker ?? state.visible_in_picker,
          image: image ?? state.image,
          disabled: disabled ?? state.disabled,
        };
      }
      case 'CustomEmojiDeleted':
        return null;
    }
  },
};

/** A picture with a name. */
export interface NewCustomEmoji extends Omit<CustomEmojiLooks, 'disabled'> {
  id: string;
  shortcode: string;
}

/** Decides nothing when the name is taken, unless `overwrite`. Pure. */
export function decideImport(
  state: CustomEmoji,
  emoji: NewCustomEmoji,
  overwrite: boolean,
): CustomEmojiEvent[] {
  if (!state) return [{ type: 'CustomEmojiCreated', data: emoji }];
  if (!overwrite) return [];
  const { category, visible_in_picker, image } = emoji;
  return decideUpdate(state, emoji.shortcode, { category, visible_in_picker, image });
}

/** Decides only differences. Pure. @throws RookeryError `not_found` */
export function decideUpdate(
  state: CustomEmoji,
  shortcode: string,
  changes: Partial<CustomEmojiLooks>,
): CustomEmojiEvent[] {
  if (!state) throw unknown(shortcode);
  const entries = Object.entries(changes).filter(
    ([name, value]) => !isDeepStrictEqual(value, state[name as keyof CustomEmojiLooks]),
  );
  if (entries.length === 0) return [];
  return [{ type: 'CustomEmojiUpdated', data: { shortcode, ...Object.fromEntries(entries) } }];
}

/** Pure. @throws RookeryError `not_found` */
export function decideDelete(state: CustomEmoji, shortcode: string): CustomEmojiEvent[] {
  if (!state) throw unknown(shortcode);
  return [{ type: 'CustomEmojiDeleted', data: { shortcode } }];
}

const unknown = (shortcode: string): RookeryError =>
  new RookeryError('not_found', `There is no emoji :${shortcode}:`);
