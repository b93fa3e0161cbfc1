import { RelayAdded, RelayDisabled, RelayEnabled, RelayRemoved } from '#events/relays.ts';
import type { EventDefinition } from '#kernel/event.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import type { AuditAction } from '#mastodon/audit-log.ts';
import { change } from './changes.ts';
import { audited } from './rule.ts';

/** An entry about a relay, which is named by its address. */
const ofRelay = <Type extends string, Data extends { id: string; inbox_url: string }>(
  definition: EventDefinition<Type, Data>,
  action: AuditAction,
  [field, to]: readonly [field: string, to: boolean],
): BoundHandler =>
  audited(definition, {
    action,
    key: ({ id }) => `relay/${id}`,
    describe: ({ id, inbox_url: name }) => ({
      target: { type: 'relay', id, name },
      changes: [change(field, !to, to)],
    }),
  });

export const relayHandlers: readonly BoundHandler[] = [
  ofRelay(RelayAdded, 'relay.created', ['added', true]),
  ofRelay(RelayEnabled, 'relay.enabled', ['enabled', true]),
  ofRelay(RelayDisabled, 'relay.disabled', ['enabled', false]),
  ofRelay(RelayRemoved, 'relay.deleted', ['added', false]),
];
