export { moveFollows } from './follow-along.ts';
export { moveNotes } from './note-along.ts';
export { moveBlocksAndMutes } from './shun-along.ts';
