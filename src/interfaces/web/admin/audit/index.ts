import type { WebPage } from '#interfaces/web/page/page.ts';
import { auditCasePage } from './case.ts';
import { auditEntryPage } from './entry.ts';
import { auditPage } from './list.ts';

export const auditPages: readonly WebPage[] = [auditPage, auditEntryPage, auditCasePage];
