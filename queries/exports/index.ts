export { exportCounts } from './counts.ts';
export { exportFile } from './files.ts';
export { archivedMedia, archivedPosts, markedUris, type ArchivedMedia } from './archive.ts';
