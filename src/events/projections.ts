import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';

/** The events that one read model leaves out. */
export const projectionStream = (name: string): string => `projection-${name}`;

const name = z.string().max(60);
const position = z.string().regex(/^\d{1,19}$/);
const sample = { name: 'polls', position: '120' };

/** Staff or the operator let a halted read model go on without an event that it cannot handle. */
export const ProjectionEventSkipped = defineEvent({
  type: 'ProjectionEventSkipped',
  version: 1,
  schema: z.object({
    name,
    position,
    event_id: z.string().max(100),
    event_type: z.string().max(100),
    reason: z.string().max(1_000),
  }),
  samples: {
    1: {
      ...sample,
      event_id: '0c1a2b3d-6f60-4d0e-9a53-2f5c8a5f4d11',
      event_type: 'VoteCast',
      reason: 'The date is broken; reported as bug 12',
    },
  },
});

/** The next rebuild takes the event again. */
export const ProjectionEventUnskipped = defineEvent({
  type: 'ProjectionEventUnskipped',
  version: 1,
  schema: z.object({ name, position }),
  samples: { 1: sample },
});

export const projectionEvents = [ProjectionEventSkipped, ProjectionEventUnskipped];
export type ProjectionEvent =
  EventOf<typeof ProjectionEventSkipped> | EventOf<typeof ProjectionEventUnskipped>;
