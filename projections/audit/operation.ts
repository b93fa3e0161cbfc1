import {
  DeadLettersRetried,
  DeliveriesGivenUp,
  DeliveriesRetried,
  ProjectionRetried,
  ProjectionRunCancelled,
  ProjectionRunStarted,
} from '#events/operation.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import { change } from './changes.ts';
import { audited } from './rule.ts';

const ofRun = ({ name, kind }: { name: string; kind: string }, states: [string | null, string]) => ({
  target: { type: 'projection', id: null, name } as const,
  changes: [change(kind, ...states)],
});

const ofHost = (host: string, waiting: [number | null, number]) => ({
  target: { type: 'host', id: null, name: host } as const,
  domain: host,
  changes: [change('queued_deliveries', ...waiting)],
});

/** Work of the server that staff or the operator started, ended or repeated. */
export const operationHandlers: readonly BoundHandler[] = [
  audited(ProjectionRunStarted, {
    action: 'projection.run_started',
    key: ({ id }) => `run/${id}`,
    describe: (run) => ofRun(run, [null, 'started']),
  }),
  audited(ProjectionRunCancelled, {
    action: 'projection.run_cancelled',
    key: ({ id }) => `run/${id}`,
    describe: (run) => ofRun(run, ['started', 'cancelled']),
  }),
  audited(ProjectionRetried, {
    action: 'projection.retried',
    key: ({ name }) => `projection/${name}`,
    describe: ({ name }) => ({ target: { type: 'projection', id: null, name }, changes: [] }),
  }),
  audited(DeadLettersRetried, {
    action: 'reactor.retried',
    key: ({ reactor }) => `reactor/${reactor ?? ''}`,
    describe: ({ reactor, event_id, count }) => ({
      target: { type: 'reactor', id: null, name: reactor ?? '' },
      changes: [change('event_id', null, event_id), change('events', null, count)],
    }),
  }),
  audited(DeliveriesRetried, {
    action: 'host.deliveries_retried',
    key: ({ host }) => `host/${host}`,
    describe: ({ host, count }) => ofHost(host, [null, count]),
  }),
  audited(DeliveriesGivenUp, {
    action: 'host.deliveries_given_up',
    key: ({ host }) => `host/${host}`,
    describe: ({ host, count }) => ofHost(host, [count, 0]),
  }),
];
