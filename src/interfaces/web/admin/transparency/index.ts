import type { WebPage } from '../../page/page.ts';
import { transparencyPage } from './page.ts';

export const transparencyPages: readonly WebPage[] = [transparencyPage];
