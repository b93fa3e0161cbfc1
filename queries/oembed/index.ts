import { showOembed } from './show.ts';

export const oembedQueries = [showOembed];
