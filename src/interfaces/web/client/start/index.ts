import type { WebPage } from '../../page/page.ts';

/** The first steps of a new user, and of the owner of a new server. */
export const startPages: readonly WebPage[] = [];
