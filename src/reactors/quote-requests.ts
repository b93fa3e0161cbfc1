import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { askForQuoteAgain, QUOTE_REQUEST_JOB } from '#interfaces/federation/outbox/index.ts';

/** Asks other servers again for quotes that they have not answered. */
export const quoteRequests: JobDefinition = { name: QUOTE_REQUEST_JOB, work: askForQuoteAgain };
