import { QuotePolicyChanged, StatusPinned, StatusUnpinned } from '#events/statuses.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { PINS, STATUSES } from './tables.ts';

const byStatus = ({ data }: { data: { id: string } }): string[] => [data.id];

/** Pins and quote policies. */
export const pinAndPolicyHandlers: readonly BoundHandler[] = [
  on(StatusPinned, {
    keys: byStatus,
    apply: PINS.insert().each(({ data }) => ({ ...data, status_id: data.id })),
  }),
  on(StatusUnpinned, { keys: byStatus, apply: PINS.remove().each(({ data }) => ({ status_id: data.id })) }),
  on(QuotePolicyChanged, { keys: byStatus, apply: STATUSES.set('quote_policy').each(({ data }) => data) }),
];
