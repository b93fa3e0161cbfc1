import pino from 'pino';
import { openApp } from '#app/app.ts';
import { loadConfig } from '#config/config.ts';
import { readRate, rebuildRate } from './log-rows.ts';
import { answerJobs } from './processes.ts';

/** Events per second, and how many could be read and parsed at most. */
export interface RebuildRate {
  perSecond: number;
  floor: number;
}

/*
 * A process that does nothing but rebuild, as `rookery projections rebuild` is one: in the process that has seeded, V8 runs what
 * it made for seeding. `DATA_DIR` is that of the server.
 */
const app = await openApp(loadConfig(), pino({ level: 'warn' }));

answerJobs(async (): Promise<RebuildRate> => ({
  perSecond: await rebuildRate(app),
  floor: await readRate(app),
}));
