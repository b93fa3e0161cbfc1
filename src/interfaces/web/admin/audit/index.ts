import type { WebPage } from '../../page/page.ts';
import { auditEntryPage } from './entry.ts';
import { auditExports } from './export.ts';
import { auditPage } from './list.ts';

export const auditPages: readonly WebPage[] = [auditPage, ...auditExports, auditEntryPage];
