import { showContext } from './context.ts';
import { showStatus, showStatuses } from './show.ts';

export { listStatuses, statusPage } from './page.ts';
export { mentionedAccounts, postingFacts, type PostingFacts } from './posting-facts.ts';
export { sourceText, statusText } from './show.ts';
export const statusQueries = [showStatuses, showStatus, showContext];
