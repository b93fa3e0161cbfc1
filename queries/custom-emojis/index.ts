import { listCustomEmojis } from './list.ts';

export { allCustomEmojis, lastCustomEmojis } from './rows.ts';

export const customEmojiQueries = [listCustomEmojis];
