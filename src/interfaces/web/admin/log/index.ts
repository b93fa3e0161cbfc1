import { eventPage } from './event-page.ts';
import { logPage } from './log-page.ts';
import { tracePage } from './trace-page.ts';

/** The event log, and traces through it. */
export const logPages = [logPage, eventPage, tracePage];
