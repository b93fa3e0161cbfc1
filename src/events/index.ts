import type { EventDefinition } from '../kernel/event.ts';
import { accountEvents } from './accounts.ts';
import { applicationEvents } from './apps.ts';
import { instanceEvents } from './instance.ts';
import { mediaEvents } from './media.ts';
import { relationshipEvents } from './relationships.ts';
import { statusEvents } from './statuses.ts';

/** The catalogue: every event type there is. */
export const catalogue: readonly EventDefinition<string, never>[] = [
  ...accountEvents,
  ...applicationEvents,
  ...instanceEvents,
  ...mediaEvents,
  ...relationshipEvents,
  ...statusEvents,
] as unknown as readonly EventDefinition<string, never>[];
