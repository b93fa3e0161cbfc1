import { showContext } from './context.ts';
import { showStatus, showStatuses } from './show.ts';

export { sourceText, statusText } from './show.ts';
export const statusQueries = [showStatuses, showStatus, showContext];
