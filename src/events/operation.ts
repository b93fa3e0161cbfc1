import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';

/** The stream of acts of staff or the operator on the work of this server: `projection-polls`, `reactor-push`, `host-far.example`. */
export const operationStream = (kind: 'projection' | 'reactor' | 'run' | 'host', name: string): string =>
  `operation-${kind}-${name}`;

const name = z.string().max(60);
const kind = z.enum(['rebuild', 'verify']);
const id = z.string().max(40);
const host = z.string().max(300);
const count = z.number().int().nonnegative();
const run = { id: '112233', name: 'polls', kind: 'rebuild' } as const;

/** A build of a read model was asked for: to take its place, or to be compared with it. */
export const ProjectionRunStarted = defineEvent({
  type: 'ProjectionRunStarted',
  version: 1,
  schema: z.object({ id, name, kind }),
  samples: { 1: run },
});

export const ProjectionRunCancelled = defineEvent({
  type: 'ProjectionRunCancelled',
  version: 1,
  schema: z.object({ id, name, kind }),
  samples: { 1: run },
});

/** The event that halted a read model is to be tried again. */
export const ProjectionRetried = defineEvent({
  type: 'ProjectionRetried',
  version: 1,
  schema: z.object({ name }),
  samples: { 1: { name: 'polls' } },
});

/** Dead-lettered events are to be tried again: of all reactors, of one, or one event. */
export const DeadLettersRetried = defineEvent({
  type: 'DeadLettersRetried',
  version: 1,
  schema: z.object({ reactor: name.nullable(), event_id: z.string().max(100).nullable(), count }),
  samples: { 1: { reactor: 'push', event_id: null, count: 2 } },
});

/** The deliveries that wait for a server were made due. */
export const DeliveriesRetried = defineEvent({
  type: 'DeliveriesRetried',
  version: 1,
  schema: z.object({ host, count }),
  samples: { 1: { host: 'far.example', count: 12 } },
});

/** The deliveries that waited for a server were removed. */
export const DeliveriesGivenUp = defineEvent({
  type: 'DeliveriesGivenUp',
  version: 1,
  schema: z.object({ host, count }),
  samples: { 1: { host: 'far.example', count: 12 } },
});

export const operationEvents = [
  ProjectionRunStarted,
  ProjectionRunCancelled,
  ProjectionRetried,
  DeadLettersRetried,
  DeliveriesRetried,
  DeliveriesGivenUp,
];
export type OperationEvent =
  | EventOf<typeof ProjectionRunStarted>
  | EventOf<typeof ProjectionRunCancelled>
  | EventOf<typeof ProjectionRetried>
  | EventOf<typeof DeadLettersRetried>
  | EventOf<typeof DeliveriesRetried>
  | EventOf<typeof DeliveriesGivenUp>;
