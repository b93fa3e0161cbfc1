import { listBlocks } from './list.ts';

export const blockQueries = [listBlocks];
