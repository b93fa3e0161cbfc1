import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.ts';

/** The settings of this server. */
export const INSTANCE_STREAM = 'instance';

export const registrationsMode = z.enum(['open', 'approved', 'closed']);

export interface InstanceSettings {
  registrations: z.infer<typeof registrationsMode>;
  timeline_preview: boolean;
}
/** What holds until somebody changes it. */
export const DEFAULT_SETTINGS: InstanceSettings = { registrations: 'open', timeline_preview: true };

/** Only what changed. */
export const InstanceSettingsChanged = defineEvent({
  type: 'InstanceSettingsChanged',
  version: 1,
  schema: z.object({
    registrations: registrationsMode.optional(),
    /** Anybody may read public timelines without a token. */
    timeline_preview: z.boolean().optional(),
  }),
  samples: { 1: { registrations: 'open', timeline_preview: true } },
});

export const instanceEvents = [InstanceSettingsChanged];
export type InstanceEvent = EventOf<typeof InstanceSettingsChanged>;
