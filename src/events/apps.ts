import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id } from './common.ts';

/** One OAuth client. Its secret is not in the log. */
export const applicationStream = (applicationId: string): string => `application-${applicationId}`;

export const ApplicationCreated = defineEvent({
  type: 'ApplicationCreated',
  version: 1,
  schema: z.object({
    id,
    name: z.string().max(60),
    website: z.string().max(2_000).nullable(),
    redirect_uris: z.array(z.string().max(2_000)).max(20),
    scopes: z.array(z.string().max(60)).max(100),
  }),
  samples: {
    1: {
      id: '109500000000000001',
      name: 'Tusky',
      website: 'https://tusky.app',
      redirect_uris: ['urn:ietf:wg:oauth:2.0:oob'],
      scopes: ['read', 'write'],
    },
  },
});

export const applicationEvents = [ApplicationCreated];
export type ApplicationEvent = EventOf<typeof ApplicationCreated>;
