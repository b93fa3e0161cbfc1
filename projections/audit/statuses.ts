import type { AuditAction } from '../../src/events/audit.ts';
import { StatusRemoved, StatusSensitized, StatusUnsensitized } from '../../src/events/statuses.ts';
import type { EventDefinition } from '../../src/kernel/event.ts';
import type { BoundHandler } from '../../src/kernel/projection.ts';
import { change, type Change } from './changes.ts';
import { audited } from './rule.ts';

interface OfStatus {
  id: string;
  account_id: string;
}

const told = <Type extends string, Data extends OfStatus>(
  definition: EventDefinition<Type, Data>,
  action: AuditAction,
  changes: (data: Data) => Change[],
): BoundHandler =>
  audited(definition, {
    action,
    // That of the account: the strike that follows becomes part of these lines.
    key: ({ account_id }) => `account/${account_id}`,
    tell: (data) => ({
      target: { type: 'status', id: data.id, name: null },
      account_id: data.account_id,
      changes: changes(data),
    }),
  });

/** Staff's acts on single posts. */
export const statusHandlers: readonly BoundHandler[] = [
  told(StatusRemoved, 'status.deleted', () => [change('deleted', false, true)]),
  told(StatusSensitized, 'status.sensitized', ({ sensitive }) => [change('sensitive', sensitive, true)]),
  told(StatusUnsensitized, 'status.unsensitized', () => [change('marked_by_staff', true, false)]),
];
