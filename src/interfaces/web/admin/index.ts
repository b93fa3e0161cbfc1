import type { WebPage } from '../page/page.ts';
import { alertPages } from './alerts/index.ts';
import { logPages } from './log/index.ts';

/** Every page and button of the console, by feature. Pages of one literal path precede those with parameters. */
export const consolePages: readonly WebPage[] = [...alertPages, ...logPages];
