import { CommanderError } from 'commander';
import { ConfigError } from '#config/config.ts';
import { isAltered, isNotCompared } from '#kernel/altered.ts';
import { isDiskFull, isRookeryError } from '#kernel/errors.ts';
import { isStoreOutage } from '#kernel/outage.ts';
import { type FindingKind, LogFinding } from '#operations/transparency-log/monitor/index.ts';

/** The exit codes of commands. OPERATIONS.md lists them. */
export const EXIT = {
  /** The command was refused, a part of it failed, the keys are not those of the data, or the disk is full. */
  failed: 1,
  /** The log, a read model or a backup is not what it should be. */
  altered: 2,
  /** The database, the event log or another server cannot be reached. */
  unreachable: 3,
  /** A kept checkpoint could not be compared; nothing contradicts. */
  notCompared: 4,
  /** An argument or a setting is wrong (EX_USAGE of sysexits.h). */
  usage: 64,
} as const;

/** The exit codes of `log monitor` for what it finds. */
export const FINDING_EXIT: Readonly<Record<FindingKind, number>> = {
  cut: 10,
  rewrite: 11,
  fork: 12,
  tiles: 13,
  key: 14,
};

/** Codes of the system for a connection that was not made. */
const UNREACHABLE = /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** Returns the exit code for an error that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  if (error instanceof AggregateError && error.message === '') return exitCodeOf(error.errors[0]);
  if (error instanceof LogFinding) return FINDING_EXIT[error.kind];
  if (isAltered(error)) return EXIT.altered;
  if (isNotCompared(error)) return EXIT.notCompared;
  // A database with a full disk breaks its connections.
  if (isDiskFull(error)) return EXIT.failed;
  if (isUnreachable(error)) return EXIT.unreachable;
  if (error instanceof ConfigError) return EXIT.usage;
  return isRookeryError(error) && error.code === 'invalid' ? EXIT.usage : EXIT.failed;
}

function isUnreachable(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    if (isStoreOutage(each) || (isRookeryError(each) && each.code === 'unavailable')) return true;
    if ('code' in each && typeof each.code === 'string' && UNREACHABLE.test(each.code)) return true;
  }
  return false;
}
