import { recordDamage } from '#commands/admin/audit/index.ts';
import { timer } from '#kernel/reactor.ts';
import { timeAfter } from '#kernel/time.ts';
import { unreportedDamage } from '#queries/transparency-log/index.ts';

/** Milliseconds between looks for events that a reader of the log found damaged. */
const EVERY = 30_000;

/** Reports damaged events to the audit log. */
export const damagedEventTimer = timer({
  name: 'damaged-events',
  wakes: [],
  reads: [],
  due: async (db, now, except) => ({ rows: await unreportedDamage(db, except), next: timeAfter(now, EVERY) }),
  fire: (ctx, { position, event_type, cause }) => recordDamage(ctx, { position, event_type, cause }),
});
