import { timer } from '#kernel/reactor.ts';
import { timeAfter } from '#kernel/time.ts';
import { newestCheckpoint } from '#operations/transparency-log/index.ts';
import { everySoOften } from './every-so-often.ts';

/** Milliseconds between two checkpoints: a change between them stays unnoticed. */
const EVERY = 60_000;

/** Adds appended events to the tree of the log, and signs a checkpoint of it. */
export const transparencyLogTimer = timer({
  name: 'log-checkpoints',
  wakes: [],
  reads: [],
  due: async (db, now, except) => {
    const { madeAt = EPOCH } = (await newestCheckpoint(db)) ?? {};
    const at = timeAfter(madeAt, EVERY);
    // Without new events there is no checkpoint, so it is due again at the next check.
    const key = `checkpoint ${madeAt}`;
    const rows = at <= now && !except.includes(key) ? [{ key }] : [];
    return { rows, next: at > now ? at : timeAfter(now, EVERY) };
  },
  fire: ({ services }) => services.transparencyLog.recordWhenIdle(),
});

const EPOCH = new Date(0).toISOString();

/** Milliseconds between checks of whether the whole log is to be verified again. */
const VERIFY_CHECK_EVERY = 10 * 60_000;

/** Verifies the whole log, a slice at a time, as often as the settings say. */
export const logVerificationTimer = timer({
  name: 'log-verification',
  wakes: [],
  reads: [],
  due: everySoOften('verification', VERIFY_CHECK_EVERY),
  fire: ({ services }) => services.transparencyLog.verifyWhenDue(),
});

/** Milliseconds between checks of whether witnesses lack the newest checkpoint. */
const WITNESS_CHECK_EVERY = 60_000;

/** Posts the newest checkpoint to the configured witnesses. */
export const logWitnessTimer = timer({
  name: 'log-witnesses',
  wakes: [],
  reads: [],
  due: everySoOften('witnesses', WITNESS_CHECK_EVERY),
  fire: ({ services }) => services.logWitnesses.postWhenDue(),
});
