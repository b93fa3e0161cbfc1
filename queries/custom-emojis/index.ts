import { listCustomEmojis } from './list.ts';

export { allCustomEmojis } from './rows.ts';

export const customEmojiQueries = [listCustomEmojis];
