import { healthPage } from './health-page.ts';

/** The parts below the server. */
export const healthPages = [healthPage];
