import { type Db, statement } from '#kernel/read.ts';
import type { DeadLetterChoice, DeadLetterInfo, Reactors } from '#kernel/services/reactors.ts';
import { behind, UNREADABLE } from '#storage/eventlog/lag.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import { askRetry, reactorStates } from '#storage/reactor-runtime/store.ts';
import { listTimers } from '#storage/reactor-runtime/timer-store.ts';

const CHOSEN = '($1::text is null or reactor = $1) and ($2::uuid is null or event_id = $2)';
const LIST = statement<DeadLetterInfo>(
  'reactors_dead_letters',
  `select reactor, event_id, event_type, stream, position, attempts, error, set_aside_at as failed_at, retry as retrying
   from durable.set_aside_events where ${CHOSEN} order by set_aside_at desc, reactor, position limit $3`,
);
const COUNT = statement<{ count: number }>(
  'reactors_dead_letters_count',
  `select count(*)::int as count from durable.set_aside_events where ${CHOSEN}`,
);

const valuesOf = ({ reactor, eventId }: DeadLetterChoice): (string | null)[] => [
  reactor ?? null,
  eventId ?? null,
];

/** The reactors as their checkpoints and the log show them. */
export function createReactors({ db, log }: { db: Db; log: EventLog }): Reactors {
  return {
    list: async () => {
      const states = await reactorStates(db);
      const lags = await behind(
        log,
        states.map(({ position }) => position),
        Date.now(),
      );
      return states.map(({ name, position, deadLettered }, index) => ({
        name,
        position: String(position),
        lag: lags[index] ?? UNREADABLE,
        dead_letters: deadLettered,
      }));
    },
    timers: () => listTimers(db),
    deadLetters: (which) => db.query(LIST, [...valuesOf(which), which.limit]),
    countDeadLetters: async (which) => (await db.query(COUNT, valuesOf(which)))[0]?.count ?? 0,
    eventAt: (position) => log.find(BigInt(position)).catch(() => undefined),
    retry: ({ reactor, eventId }) =>
      askRetry(db, { ...(reactor !== undefined && { reactor }), ...(eventId !== undefined && { eventId }) }),
  };
}
