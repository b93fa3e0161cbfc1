import { listMutes } from './list.ts';

export const muteQueries = [listMutes];
