import type { EventDefinition } from '../kernel/event.ts';
import { accountEvents } from './accounts.ts';
import { applicationEvents } from './apps.ts';
import { userDomainBlockEvents } from './domain-blocks.ts';
import { customEmojiEvents } from './custom-emojis.ts';
import { instanceEvents } from './instance.ts';
import { interactionEvents } from './interactions.ts';
import { pollEvents } from './polls.ts';
import { relationshipEvents } from './relationships.ts';
import { statusEvents } from './statuses.ts';
import { tagEvents } from './tags.ts';

/** The catalogue: every event type there is. */
export const catalogue: readonly EventDefinition<string, never>[] = [
  ...accountEvents,
  ...applicationEvents,
  ...userDomainBlockEvents,
  ...customEmojiEvents,
  ...instanceEvents,
  ...interactionEvents,
  ...pollEvents,
  ...relationshipEvents,
  ...statusEvents,
  ...tagEvents,
] as unknown as readonly EventDefinition<string, never>[];
