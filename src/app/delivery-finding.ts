import type { HealthFinding } from '#kernel/services/server-health.ts';
import { type DeliveryState, LATE } from '#queries/federation/index.ts';

/** With fewer servers, some that are down say nothing about this one. */
const ENOUGH_SERVERS = 10;
/** The share of servers that are down from which this server is the likelier cause. */
const TOO_MANY_DOWN = 0.5;
const MANY_QUEUED = 10_000;

/** Judges deliveries by their numbers. */
export function deliveryFinding(state: DeliveryState): HealthFinding {
  const { servers, down, queued, queued_for_down: forDown, late } = state;
  const counts = `${queued} queued, ${down} of ${servers} servers down`;
  const reasons = [
    ...(servers >= ENOUGH_SERVERS && down / servers >= TOO_MANY_DOWN
      ? ['most servers do not answer: can this one reach the Internet?']
      : []),
    ...(late > 0
      ? [
          `${late} wait for more than ${LATE / 60} minutes for a first attempt: does a process with ROLE=reactor run?`,
        ]
      : []),
    ...(forDown >= MANY_QUEUED ? [`${forDown} wait for servers that are down`] : []),
    ...(forDown < MANY_QUEUED && queued >= MANY_QUEUED
      ? ['this server sends more slowly than users post']
      : []),
  ];
  const text = [counts, ...reasons].join('; ');
  return { name: 'deliveries', state: reasons.length > 0 ? 'warning' : 'ok', text };
}
