import { search } from './search.ts';

export { findKnown } from './known.ts';

export const searchQueries = [search];
