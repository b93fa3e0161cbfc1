import { AlertAcknowledged } from '#events/alerts.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import { differences } from './changes.ts';
import { audited } from './rule.ts';

/** Alerts that staff acknowledged. */
export const alertHandlers: readonly BoundHandler[] = [
  audited(AlertAcknowledged, {
    action: 'alert.acknowledged',
    key: ({ id }) => `alert/${id}`,
    describe: ({ id, name, subject, note }) => ({
      target: { type: 'alert', id, name },
      changes: differences(null, { subject, note }),
    }),
  }),
];
