import { favourites } from './list.ts';

export const favouriteQueries = [favourites];
