import type { WebPage } from '#interfaces/web/page/page.ts';
import { transparencyPage } from './page.ts';

export const transparencyPages: readonly WebPage[] = [transparencyPage];
