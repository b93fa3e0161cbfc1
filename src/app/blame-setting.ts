import { ConfigError } from '#config/config.ts';
import { LogUnavailable } from '#storage/eventlog/port.ts';

/**
 * Postgres's codes for a wrong user, password, database or privilege
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const REFUSED = ['28000', '28P01', '3D000', '42501'];
/** Codes of the system (`ECONNREFUSED`, `ENOTDIR`), not those of Node itself (`ERR_...`). */
const SYSTEM = /^E[A-Z]+$/;

/** The reason for an unusable address or port. */
export const CANNOT_LISTEN = 'cannot be listened on';

/**
 * Runs the first use of a setting.
 * @throws ConfigError that names the setting and quotes the system's message, when the other side is missing
 * or refuses access
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
    throw new ConfigError([`${variable} ${fails}: ${error.message}`], { cause: error });
  }
}

function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof LogUnavailable) return true;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (SYSTEM.test(code) || REFUSED.includes(code));
}
