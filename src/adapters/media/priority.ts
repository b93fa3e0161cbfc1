import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** As `nice` counts: requests of users come before the work on media. Programs of the worker have it too. */
export const NICENESS = 19;

/**
 * Exists where Linux shares processors between sessions first (sched(7), "The autogroup feature"): there a niceness counts among
 * the processes of its session alone, and each connection of PostgreSQL is a session.
 */
const OF_SESSION = '/proc/self/autogroup';
/** Linux lets a user without privileges change one session in a tenth of a second. */
const TRIES = 5;
const PAUSE = 0.1;

/** Lines of shell that give the session of a program the niceness. */
export const LOWER_SESSION = `n=0; while [ -w ${OF_SESSION} ] && [ $n -lt ${TRIES} ]; do
  n=$((n + 1)); (echo ${NICENESS} > ${OF_SESSION}) 2>/dev/null && break; sleep ${PAUSE}
done`;

/** Gives the session of this process the niceness. */
export async function lowerSession(): Promise<void> {
  if ((await readFile(OF_SESSION).catch(() => undefined)) === undefined) return;
  for (let n = 0; n < TRIES; n += 1) {
    const isLowered = await writeFile(OF_SESSION, String(NICENESS)).then(
      () => true,
      () => false,
    );
    if (isLowered) return;
    await sleep(PAUSE * 1_000);
  }
}
