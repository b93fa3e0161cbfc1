import { directory } from './list.ts';

export const directoryQueries = [directory];
