export { moveFollows } from './move-follows.ts';
export { moveNotes } from './move-notes.ts';
export { moveBlocksAndMutes } from './move-blocks-and-mutes.ts';
