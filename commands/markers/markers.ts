import { type Marker, type MarkersEvent, markersStream } from '#events/markers.ts';
import type { Decider } from '#kernel/decider.ts';
import { RookeryError } from '#kernel/errors.ts';

/** Timelines with markers. */
export const TIMELINES = ['home', 'notifications'] as const;
export type Timeline = (typeof TIMELINES)[number];

/** All markers of an account, and the number of their last move. */
export interface Markers {
  move: number;
  home: Marker | null;
  notifications: Marker | null;
}

/** Stream `markers-<account>-<n>`: null for an empty stream. */
export const markers: Decider<Markers | null, MarkersEvent> = {
  initialState: null,
  evolve: (_state, { data: { account_id: _, ...moved } }) => moved,
};

export interface MoveMarkers {
  accountId: string;
  now: string;
  /** The last read id, by timeline. */
  positions: Partial<Record<Timeline, string>>;
  /** The markers as the request found them; undefined for none. */
  seen: Markers | undefined;
}

/**
 * Sets markers, also to older positions, because users scroll back. Sets nothing when another request has set
 * the same meanwhile. Pure.
 * @throws RookeryError `conflict` when another request has set one of them elsewhere meanwhile
 */
export function decideMove(
  state: Markers | null,
  { accountId, now, positions, seen }: MoveMarkers,
): MarkersEvent[] {
  const before = state ?? seen ?? NONE;
  const move = before.move + 1;
  const stale = TIMELINES.some(
    (timeline) =>
      positions[timeline] !== undefined && before[timeline]?.version !== seen?.[timeline]?.version,
  );
  const wanted = TIMELINES.every(
    (timeline) => positions[timeline] === undefined || before[timeline]?.last_read_id === positions[timeline],
  );
  // Some apps send each write twice at the same time.
  if (stale && wanted) return [];
  // The next stream may contain more than this one.
  const ended = markersStream(accountId, move) !== streamAfter(accountId, seen);
  if (stale || ended) throw new RookeryError('conflict', 'Conflict during update, please try again');
  const moved = (timeline: Timeline): Marker | null => {
    const last_read_id = positions[timeline];
    const marker = before[timeline];
    if (last_read_id === undefined) return marker;
    return { last_read_id, version: (marker?.version ?? 0) + 1, updated_at: now };
  };
  const data = { account_id: accountId, move, home: moved('home'), notifications: moved('notifications') };
  return [{ type: 'MarkersMoved', data }];
}

/** Returns the stream of the move after these markers. */
export const streamAfter = (accountId: string, seen: Markers | undefined): string =>
  markersStream(accountId, (seen ?? NONE).move + 1);

const NONE: Markers = { move: -1, home: null, notifications: null };
