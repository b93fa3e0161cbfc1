import { listSuggestedAccounts, listSuggestions } from './list.ts';

export { recommendedAccounts } from './recommended.ts';

export const suggestionQueries = [listSuggestions, listSuggestedAccounts];
