import { roomIn } from '#adapters/disk.ts';
import { isDiskFull } from '#kernel/errors.ts';
import { sizeText } from '#kernel/quantities.ts';
import type { EmbeddedOptions } from '#storage/embedded/embedded.ts';

/** The words of the system and of PostgreSQL, whose start and `initdb` leave no code. */
const FULL = /no space left on device|disk quota exceeded/i;

/**
 * Notices when the embedded PostgreSQL says that its disk is full: it ends then, and its sessions see a broken connection.
 * @returns the log to hand to it, and whether it said so
 */
export function noticeFullDisk(log: EmbeddedOptions['log']): {
  log: EmbeddedOptions['log'];
  wasFull: () => boolean;
} {
  let full = false;
  const noticed =
    (level: keyof EmbeddedOptions['log']) =>
    (said: unknown, message?: string): void => {
      if (typeof said === 'string' && FULL.test(said)) full = true;
      log[level](said, message);
    };
  return {
    log: { debug: noticed('debug'), info: noticed('info'), warn: noticed('warn'), error: noticed('error') },
    wasFull: () => full,
  };
}

/** Returns an error of the database as that of a full disk. */
export const asFullDisk = (cause: unknown): Error =>
  Object.assign(new Error('No space left on device: PostgreSQL cannot write', { cause }), { code: 'ENOSPC' });

/** Tells whether a full disk caused the error, also where only its words say so. */
export function tellsOfFullDisk(error: unknown): boolean {
  if (isDiskFull(error)) return true;
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    if (FULL.test(each.message)) return true;
  }
  return false;
}

export interface FullDisk {
  dataDir: string;
  /** The database is elsewhere (`DATABASE_URL`). */
  isDatabaseElsewhere: boolean;
  /** Says what state things are in, and what to do once there is room. */
  state: string;
}

/** Returns an error that names the full disk, its room and what to do; any other error as it is. */
export async function explainFullDisk(
  error: unknown,
  { dataDir, isDatabaseElsewhere, state }: FullDisk,
): Promise<unknown> {
  if (!tellsOfFullDisk(error)) return error;
  const said = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  const room = await roomIn(dataDir);
  const disk =
    isDatabaseElsewhere && isPostgres(error)
      ? 'The disk of the database at DATABASE_URL is full'
      : `The disk of ${dataDir} is full${room ? ` (${sizeText(room.free)} of ${sizeText(room.total)} are free)` : ''}`;
  return Object.assign(new Error(`${disk}: ${said}. ${state}`, { cause: error }), { code: 'ENOSPC' });
}

const isPostgres = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '53100';
