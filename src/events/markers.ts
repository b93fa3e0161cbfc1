import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, time } from './common.ts';

/** Moves that one stream holds. */
const MOVES_PER_STREAM = 100;

/**
 * The reading positions of an account. Apps write them all day, and each event holds all markers. A stream
 * ends after a hundred moves and another continues, which keeps loading cheap. `move` counts an account's
 * moves from 0.
 */
export const markersStream = (accountId: string, move: number): string =>
  `markers-${accountId}-${Math.floor(move / MOVES_PER_STREAM)}`;

/** The reading position in a timeline; `version` counts how often it was set. */
const marker = z.object({ last_read_id: id, version: z.int().min(0), updated_at: time });
export type Marker = z.infer<typeof marker>;

/** All markers after this move; null for a timeline without one. */
export const MarkersMoved = defineEvent({
  type: 'MarkersMoved',
  version: 1,
  schema: z.object({
    account_id: id,
    move: z.int().min(0),
    home: marker.nullable(),
    notifications: marker.nullable(),
  }),
  samples: {
    1: {
      account_id: '109500000000000000',
      move: 0,
      home: { last_read_id: '115500000000000000', version: 0, updated_at: '2026-11-21T08:00:00.000Z' },
      notifications: null,
    },
  },
});

export const markerEvents = [MarkersMoved];
export type MarkersEvent = EventOf<typeof MarkersMoved>;
