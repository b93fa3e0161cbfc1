import { bookmarks } from './list.ts';

export const bookmarkQueries = [bookmarks];
