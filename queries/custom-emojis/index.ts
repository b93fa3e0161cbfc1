import { listCustomEmojis } from './list.ts';

export { CustomEmojiCache } from './cache.ts';
export { allCustomEmojis } from './rows.ts';

export const customEmojiQueries = [listCustomEmojis];
