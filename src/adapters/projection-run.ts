import type { ProjectionRun } from '#kernel/services/read-models.ts';
import type { RunRow } from '#storage/postgres/rebuild/projection-runs.ts';

/** Returns a stored run as the API shows it. */
export function runOf(row: RunRow): ProjectionRun {
  const { id, name, kind, started_at, seen_at, position, head, estimated, error, digests, seconds } = row;
  const state = row.dead ? 'interrupted' : row.state;
  const isRunning = state === 'running';
  const [events, done, total] = [Number(row.events), numberOf(row.done), numberOf(row.total)];
  const rate = seconds > 0 && events > 0 ? events / seconds : null;
  return {
    id,
    name,
    kind,
    state,
    started_at,
    ended_at: isRunning ? null : seen_at,
    seconds,
    position,
    head,
    events,
    done,
    total,
    estimated,
    events_per_second: rate,
    seconds_left:
      isRunning && rate !== null && done !== null && total !== null ? (total - done) / rate : null,
    digests: digests?.map((each) => ({ ...each, rows: each.rows ?? [] })) ?? null,
    error,
    cancelling: isRunning && row.cancel,
  };
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));
