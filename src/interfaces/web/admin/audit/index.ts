import type { WebPage } from '../../page/page.ts';
import { auditEntryPage } from './entry.ts';
import { auditPage } from './list.ts';

export const auditPages: readonly WebPage[] = [auditPage, auditEntryPage];
