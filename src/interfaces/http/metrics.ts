import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isAltered } from '#kernel/altered.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { type OpenAlerts, registerAlerts } from './alert-metrics.ts';
import { addressMatcher, canonicalAddress } from './client-address.ts';
import { type DeliveryFigures, registerDeliveries } from './delivery-metrics.ts';
import { registerStreams, type StreamFigures } from './stream-metrics.ts';

/**
 * The progress of a group of projections. Positions are those of the log; with EventStoreDB they have gaps.
 */
export interface GroupState {
  group: string;
  position: bigint;
  /** The group cannot go on. */
  failed: boolean;
  /** The names of its read models that rejected an event, while the group goes on. */
  halted: readonly string[];
}

/** The progress of a reactor, and the number of its dead-lettered events. */
export interface ReactorState {
  name: string;
  position: bigint;
  deadLettered: number;
}

export interface MetricsSources {
  /** Called at each scrape. A failure leaves the projection figures out; the rest is still served. */
  projections: () => Promise<readonly GroupState[]>;
  /** Like `projections`. */
  reactors?: () => Promise<readonly ReactorState[]>;
  streams?: () => StreamFigures;
  alerts?: OpenAlerts;
  deliveries?: DeliveryFigures;
  /**
   * Returns the distance of positions from the end of the log. Without it, or after a failure, there are no
   * figures of lag.
   */
  lags: (positions: readonly bigint[]) => Promise<readonly FollowerLag[]>;
  /** Returns the end of the last verification of the whole log (ISO 8601), and its events. */
  verification?: () => Promise<{ finishedAt: string; events: number } | undefined>;
  /** Resolves when the log matches its checkpoints. @throws RookeryError `conflict` when it does not */
  history?: () => Promise<unknown>;
}

/** The lag of a reader of the log: in positions, and by the age of the oldest waiting event. */
export interface FollowerLag {
  positions: bigint;
  /** Undefined when that event cannot be read. */
  seconds: number | undefined;
}

export interface Metrics {
  registry: Registry;
  /** Counts a request; for `observe` of `mount`. */
  observe(request: { endpoint: Endpoint; status: number; seconds: number }): void;
  /** Counts events that were appended to the log. */
  appended(events: number): void;
}

interface Route {
  /** Requests since the last scrape, by status. */
  statuses: Map<number, number>;
  time: (seconds: number) => void;
}

/**
 * Creates the figures of this process for Prometheus. Routes are labelled by their pattern, so the number of
 * labels is bounded.
 */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const routes = new Map<Endpoint, Route>();
  registerRequests(registry, routes);
  registerProjections(registry, sources);
  registerReactors(registry, sources);
  if (sources.streams) registerStreams(registry, sources.streams);
  if (sources.alerts) registerAlerts(registry, together(sources.alerts));
  if (sources.deliveries) registerDeliveries(registry, sources.deliveries);
  if (sources.history) registerHistory(registry, sources.history);
  if (sources.verification) registerVerification(registry, together(sources.verification));
  const appends = new Counter({
    name: 'eventlog_appends_total',
    help: 'Events that this process appended to the log',
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the parsed request line to the reply',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const open = (endpoint: Endpoint): Route => {
    const duration = durations.labels(endpoint.method, endpoint.path);
    const route = { statuses: new Map(), time: (seconds: number) => duration.observe(seconds) };
    routes.set(endpoint, route);
    return route;
  };

  return {
    registry,
    observe({ endpoint, status, seconds }) {
      const route = routes.get(endpoint) ?? open(endpoint);
      route.statuses.set(status, (route.statuses.get(status) ?? 0) + 1);
      route.time(seconds);
    },
    appended: (events) => appends.inc(events),
  };
}

/** The headers of common proxies, each of which sends at least one of them. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'forwarded',
  'via',
];

/**
 * Serves the metrics to peers whose own address is allowed and that use no proxy. All others get the reply of
 * an unknown path. @param allowed IP addresses and CIDR ranges
 */
export function metricsHandler({ registry }: Metrics, allowed: readonly string[]): RequestHandler {
  const isAllowed = addressMatcher(allowed);
  return (req, res, next) => {
    const { headers, socket } = req;
    const proxied = PROXY_HEADERS.some((name) => headers[name] !== undefined);
    if (proxied || !isAllowed(canonicalAddress(socket.remoteAddress ?? '') ?? '')) return next();
    registry.metrics().then((text) => {
      res.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' });
      res.end(text);
    }, next);
  };
}

/** Counts in plain maps until the scrape: prom-client hashes the labels on every count. */
function registerRequests(registry: Registry, routes: ReadonlyMap<Endpoint, Route>): void {
  new Counter({
    name: 'http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      for (const [{ method, path }, { statuses }] of routes) {
        for (const [status, count] of statuses) this.inc({ method, route: path, status }, count);
        statuses.clear();
      }
    },
  });
}

/** A kind of readers of the log, in the scrape. */
interface Followers {
  /** The prefix of the gauges' names. */
  prefix: string;
  /** The label that distinguishes them. */
  label: string;
  /** The noun for one of them in help texts. */
  one: string;
  /** The gauge of their failures. */
  failures: { name: string; help: string };
  /** Called at each scrape. */
  states: () => Promise<readonly { name: string; position: bigint; failures: number }[]>;
}

function registerProjections(registry: Registry, { projections, lags }: MetricsSources): void {
  const groups = together(projections);
  registerFollowers(registry, lags, {
    prefix: 'projection',
    label: 'group',
    one: 'a group of projections',
    failures: { name: 'projection_failed', help: '1 when a group of projections cannot go on' },
    states: async () =>
      (await groups()).map(({ group, position, failed }) => ({
        name: group,
        position,
        failures: failed ? 1 : 0,
      })),
  });
  const halted = new Gauge({
    name: 'projection_halted',
    help: '1 for a read model that rejected an event, while its group goes on',
    labelNames: ['projection'],
    registers: [registry],
    collect: async () => {
      const now = await groups().catch(() => []);
      halted.reset();
      for (const name of now.flatMap((group) => group.halted)) halted.set({ projection: name }, 1);
    },
  });
}

function registerReactors(registry: Registry, { reactors, lags }: MetricsSources): void {
  if (!reactors) return;
  registerFollowers(registry, lags, {
    prefix: 'reactor',
    label: 'reactor',
    one: 'a reactor',
    failures: { name: 'reactor_set_aside_events', help: 'Events that a reactor could not take' },
    states: async () =>
      (await reactors()).map(({ name, position, deadLettered }) => ({
        name,
        position,
        failures: deadLettered,
      })),
  });
}

function registerFollowers(
  registry: Registry,
  lags: MetricsSources['lags'],
  { prefix, label, one, failures, states }: Followers,
): void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: [label], registers: [registry], collect: () => refresh() });
  const reached = gauge(`${prefix}_position`, `Position of the log that ${one} has reached`);
  const lag = gauge(`${prefix}_lag_positions`, `Positions of the log that ${one} is behind`);
  const waiting = gauge(`${prefix}_lag_seconds`, `Age of the oldest event that ${one} has not taken yet`);
  const failed = gauge(failures.name, failures.help);

  const read = async (): Promise<void> => {
    const followers = await states().catch(() => []);
    const behind = await lags(followers.map(({ position }) => position)).catch(() => []);
    for (const each of [reached, lag, waiting, failed]) each.reset();
    for (const [index, follower] of followers.entries()) {
      const labels = { [label]: follower.name };
      reached.set(labels, Number(follower.position));
      failed.set(labels, follower.failures);
      const { positions, seconds } = behind[index] ?? {};
      if (positions !== undefined) lag.set(labels, Number(positions));
      if (seconds !== undefined) waiting.set(labels, seconds);
    }
  };
  const refresh = together(read);
}

function registerHistory(registry: Registry, check: () => Promise<unknown>): void {
  new Gauge({
    name: 'log_contradicts_checkpoint',
    help: '1 when the event log is not what its newest signed checkpoint says',
    registers: [registry],
    async collect() {
      await check().then(
        () => this.set(0),
        (error: unknown) => (isAltered(error) ? this.set(1) : this.remove()),
      );
    },
  });
}

function registerVerification(registry: Registry, read: NonNullable<MetricsSources['verification']>): void {
  new Gauge({
    name: 'log_verified_timestamp_seconds',
    help: 'When the whole event log was last compared with its checkpoints',
    registers: [registry],
    async collect() {
      const found = await read().catch(() => undefined);
      if (found) this.set(Date.parse(found.finishedAt) / 1_000);
    },
  });
  new Gauge({
    name: 'log_verified_events',
    help: 'Events of the last verification of the whole event log',
    registers: [registry],
    async collect() {
      const found = await read().catch(() => undefined);
      if (found) this.set(found.events);
    },
  });
}

/** All gauges of a scrape call at once, and share one answer. */
function together<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}
