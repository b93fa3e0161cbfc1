export { followAlong } from './follow-along.ts';
export { noteAlong } from './note-along.ts';
export { shunAlong } from './shun-along.ts';
