import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { createAccount } from '../../commands/accounts/index.ts';
import { changeSettings } from '../../commands/instance/index.ts';
import { isLoopback } from '../config/config.ts';
import type { App } from './app.ts';
import { isRookeryError } from '../kernel/errors.ts';
import { MAIN } from '../kernel/projection.ts';

const NAME = 'owner';
const RULE = 'first start';

/**
 * Closes registrations on a new server that others can reach, until its owner opens them. Mastodon's are closed from the start, too. A
 * server for this machine alone stays open, and so does one that runs already.
 */
export async function closeNewServer(app: App): Promise<void> {
  const { site, http } = app.config;
  if (isLoopback(site.webDomain) && isLoopback(isIPv6(http.bind) ? `[${http.bind}]` : http.bind)) return;
  const [first] = await app.store.readAll(0n, 1);
  if (!first) await changeSettings(app.systemContext(RULE), { registrations: 'closed' });
}

/**
 * Creates the owner's account when there is no user yet.
 * @returns the password, which is shown once and stored nowhere
 * @throws the reason of the signal, while the read models catch up
 */
export async function createOwner(
  app: App,
  signal?: AbortSignal,
): Promise<{ username: string; password: string } | undefined> {
  await untilCaughtUp(app, signal);
  const [user] = await app.db.query('select account_id from users limit 1');
  if (user) return undefined;
  const password = randomBytes(15).toString('base64url');
  const ctx = app.systemContext(RULE);
  const made = createAccount(ctx, {
    username: NAME,
    email: `${NAME}@${app.instance.domain.replace(/:.*$/, '')}`,
    password,
    locale: 'en',
    confirmed: true,
    approved: true,
    role: 'Owner',
    reason: null,
    applicationId: null,
    signUpIp: null,
  });
  if (!(await made.then(() => true, isTaken))) return undefined;
  await ctx.waitForReadModels();
  return { username: NAME, password };
}

/** Returns false when another process created the owner at the same time. */
function isTaken(error: unknown): false {
  if (isRookeryError(error) && ['invalid', 'conflict'].includes(error.code)) return false;
  throw error;
}

/** Only read models that have caught up tell whether there are users. */
async function untilCaughtUp({ log, checkpoints }: App, signal?: AbortSignal): Promise<void> {
  const head = await log.head();
  while (!(await checkpoints.reached(MAIN, head, 1_000))) {
    signal?.throwIfAborted();
    if (checkpoints.position(MAIN) >= head) return;
  }
}
