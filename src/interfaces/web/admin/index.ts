import type { WebPage } from '../page/page.ts';
import { accountAdminPages } from './accounts/index.ts';
import { alertPages } from './alerts/index.ts';
import { appealPages } from './appeals/index.ts';
import { auditPages } from './audit/index.ts';
import { dashboardPages } from './dashboard/index.ts';
import { healthPages } from './health/index.ts';
import { logPages } from './log/index.ts';
import { operationPages } from './operation/index.ts';
import { pastPages } from './past/index.ts';
import { proofPages } from './proofs/index.ts';
import { replayPages } from './replay/index.ts';
import { reportPages } from './reports/index.ts';
import { searchPages } from './search/index.ts';
import { serverPages } from './server-pages.ts';
import { transparencyPages } from './transparency/index.ts';

/** Every page and button of the console, by feature. Pages of one literal path precede those with parameters. */
export const consolePages: readonly WebPage[] = [
  ...dashboardPages,
  ...searchPages,
  ...reportPages,
  ...accountAdminPages,
  ...appealPages,
  ...proofPages,
  ...replayPages,
  ...serverPages,
  ...auditPages,
  ...transparencyPages,
  ...operationPages,
  ...alertPages,
  ...healthPages,
  ...pastPages,
  ...logPages,
];
