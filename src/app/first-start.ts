import { isIPv6 } from 'node:net';
import { changeSettings } from '#commands/instance/index.ts';
import { isLoopback } from '#config/config.ts';
import type { App } from './app.ts';

/** The automation in whose name a first start writes. */
export const FIRST_START = 'first start';

/**
 * Closes registrations on a new server that others can reach, until its owner opens them. Mastodon's are closed from the start, too. A
 * server for this machine alone stays open, and so does one that runs already.
 */
export async function closeNewServer(app: App): Promise<void> {
  const { site, http } = app.config;
  if (isLoopback(site.webDomain) && isLoopback(isIPv6(http.bind) ? `[${http.bind}]` : http.bind)) return;
  const [first] = await app.store.readAll(0n, 1);
  if (!first) await changeSettings(app.systemContext(FIRST_START), { registrations: 'closed' });
}
