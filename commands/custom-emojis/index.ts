/** The operator changes emojis on the command line: Mastodon's API only reads them. */
export { deleteEmoji, importEmoji, updateEmoji, type ImportedEmoji } from './change.ts';
