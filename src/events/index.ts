import type { EventDefinition } from '../kernel/event.ts';
import { accountEvents } from './accounts.ts';
import { applicationEvents } from './apps.ts';
import { userDomainBlockEvents } from './domain-blocks.ts';
import { instanceEvents } from './instance.ts';
import { relationshipEvents } from './relationships.ts';
import { statusEvents } from './statuses.ts';

/** The catalogue: every event type there is. */
export const catalogue: readonly EventDefinition<string, never>[] = [
  ...accountEvents,
  ...applicationEvents,
  ...userDomainBlockEvents,
  ...instanceEvents,
  ...relationshipEvents,
  ...statusEvents,
] as unknown as readonly EventDefinition<string, never>[];
