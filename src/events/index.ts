import type { EventDefinition } from '../kernel/event.ts';
import { accountEvents } from './accounts.ts';
import { applicationEvents } from './apps.ts';
import { filterEvents } from './filters.ts';
import { instanceEvents } from './instance.ts';
import { listEvents } from './lists.ts';
import { relationshipEvents } from './relationships.ts';
import { statusEvents } from './statuses.ts';

/** The catalogue: every event type there is. */
export const catalogue: readonly EventDefinition<string, never>[] = [
  ...accountEvents,
  ...applicationEvents,
  ...filterEvents,
  ...instanceEvents,
  ...listEvents,
  ...relationshipEvents,
  ...statusEvents,
] as unknown as readonly EventDefinition<string, never>[];
