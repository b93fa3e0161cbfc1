import type { WebPage } from '../../page/page.ts';

/** Notifications and private mentions. */
export const notificationPages: readonly WebPage[] = [];
