import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id } from './common.ts';

/** One alert, and the staff who take care of it. */
export const alertStream = (alertId: string): string => `alert-${alertId}`;

/** A member of staff takes care of what an alert is about. */
export const AlertAcknowledged = defineEvent({
  type: 'AlertAcknowledged',
  version: 1,
  schema: z.object({
    id,
    name: z.string().max(60),
    subject: z.string().max(500),
    note: z.string().max(1_000),
  }),
  samples: {
    1: {
      id: '115500000000000040',
      name: 'deliveries_failing',
      subject: 'social.example',
      note: 'They move to another machine today',
    },
  },
});

export const alertEvents = [AlertAcknowledged];
export type AlertEvent = EventOf<typeof AlertAcknowledged>;
