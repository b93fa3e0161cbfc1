import { newestCheckpoint } from '../operations/transparency-log/index.ts';
import { timer } from '../kernel/reactor.ts';
import { timeAfter } from '../kernel/time.ts';

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
