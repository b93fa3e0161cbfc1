import { showAsyncRefresh } from './show.ts';

export const asyncRefreshQueries = [showAsyncRefresh];
