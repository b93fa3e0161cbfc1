import { listEndorsements } from './list.ts';

export const endorsementQueries = [listEndorsements];
