import { ProjectionEventSkipped, ProjectionEventUnskipped } from '#events/projections.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import { change } from './changes.ts';
import { audited } from './rule.ts';

const key = ({ name }: { name: string }): string => `projection/${name}`;

/** The events that read models leave out. */
export const projectionHandlers: readonly BoundHandler[] = [
  audited(ProjectionEventSkipped, {
    action: 'projection.event_skipped',
    key,
    describe: ({ name, position, event_id, event_type, reason }) => ({
      target: { type: 'projection', id: null, name },
      changes: [
        change('position', null, position),
        change('event_id', null, event_id),
        change('event_type', null, event_type),
        change('reason', null, reason),
      ],
    }),
  }),
  audited(ProjectionEventUnskipped, {
    action: 'projection.event_unskipped',
    key,
    describe: ({ name, position }) => ({
      target: { type: 'projection', id: null, name },
      changes: [change('position', position, null)],
    }),
  }),
];
