export { adminCustomEmojiCommands } from './endpoints.ts';
