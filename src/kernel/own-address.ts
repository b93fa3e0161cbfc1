import type { Instance } from './context.ts';

/** Returns true for a web address of this server, whichever scheme a proxy made of it. */
export const isOwnAddress = (url: URL, { origin }: Pick<Instance, 'origin'>): boolean =>
  /^https?:$/.test(url.protocol) && url.host === new URL(origin).host;
