import { ConfigError } from '../config/config.ts';
import { LogUnavailable } from '../storage/eventlog/port.ts';

/**
 * What Postgres refuses whoever has another user, password, database or right than it knows
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const REFUSED = ['28000', '28P01', '3D000', '42501'];
/** Codes of the system (`ECONNREFUSED`, `ENOTDIR`), not those of Node itself (`ERR_...`). */
const SYSTEM = /^E[A-Z]+$/;

/** Of an address and a port. */
export const CANNOT_LISTEN = 'cannot be listened on';

/**
 * The first use of what a setting names.
 * @throws ConfigError that names the setting and says what the system said, where that is not there or lets nobody in
 */
export async function blameSetting<T>(
  variable: string,
  use: Promise<T>,
  fails = 'cannot be used',
): Promise<T> {
  try {
    return await use;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new ConfigError([`${variable} ${fails}: ${error.message}`]);
  }
}

function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof LogUnavailable) return true;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (SYSTEM.test(code) || REFUSED.includes(code));
}
