import type { RequestHandler } from 'express';
import { Gauge, Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Endpoint } from '../kernel/endpoint.ts';
import { addressMatcher, canonicalAddress } from './client-address.ts';

/** How far a group of projections is. Positions are those of the log: with EventStoreDB they are not dense. */
export interface GroupState {
  group: string;
  position: bigint;
  /** It met an event that it cannot take, and stands still. */
  failed: boolean;
}

/** How far a reactor is, and how many events it could not take. */
export interface ReactorState {
  name: string;
  position: bigint;
  setAside: number;
}

export interface MetricsSources {
  /** Asked at each scrape. A failure leaves the projection figures out; the rest is still served. */
  projections: () => Promise<readonly GroupState[]>;
  /** Asked at each scrape, as above. */
  reactors?: () => Promise<readonly ReactorState[]>;
  /** The position of the newest event. */
  logHead: () => Promise<bigint>;
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

/** The figures of this process for Prometheus. Routes are labelled by their pattern, so labels have a bound. */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const routes = new Map<Endpoint, Route>();
  registerRequests(registry, routes);
  registerProjections(registry, sources);
  registerReactors(registry, sources);
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
    const route = { statuses: new Map(), time: durations.labels(endpoint.method, endpoint.path).observe };
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

/**
 * Serves the metrics to whom they are for: peers whose own address is allowed and that come by no proxy. To all others
 * there is nothing here, for routes and error rates are nobody else's business.
 *
 * @param allowed IP addresses and CIDR ranges
 */
export function metricsHandler({ registry }: Metrics, allowed: readonly string[]): RequestHandler {
  const isAllowed = addressMatcher(allowed);
  return (req, res, next) => {
    const { headers, socket } = req;
    const proxied = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    if (proxied || !isAllowed(canonicalAddress(socket.remoteAddress ?? '') ?? '')) return next();
    registry.metrics().then((text) => {
      res.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' });
      res.end(text);
    }, next);
  };
}

/** Tallied in plain maps and handed over at the scrape: prom-client hashes the labels on every count. */
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

function registerProjections(registry: Registry, { projections, logHead }: MetricsSources): void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['group'], registers: [registry], collect: () => refresh() });
  const position = gauge(
    'projection_position',
    'Position of the log that a group of projections has reached',
  );
  const lag = gauge('projection_lag_positions', 'Positions of the log that a group of projections is behind');
  const failed = gauge('projection_failed', '1 when a group of projections stands still at an event');

  const read = async (): Promise<void> => {
    // The head first: a group may pass it meanwhile, and is then not behind.
    const head = await logHead().catch(() => undefined);
    const groups = await projections().catch(() => []);
    for (const each of [position, lag, failed]) each.reset();
    for (const state of groups) {
      const { group } = state;
      position.set({ group }, Number(state.position));
      failed.set({ group }, state.failed ? 1 : 0);
      if (head !== undefined) lag.set({ group }, head > state.position ? Number(head - state.position) : 0);
    }
  };
  const refresh = once(read);
}

function registerReactors(registry: Registry, { reactors, logHead }: MetricsSources): void {
  if (!reactors) return;
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['reactor'], registers: [registry], collect: () => refresh() });
  const position = gauge('reactor_position', 'Position of the log that a reactor has reached');
  const lag = gauge('reactor_lag_positions', 'Positions of the log that a reactor is behind');
  const setAside = gauge('reactor_set_aside_events', 'Events that a reactor could not take');

  const read = async (): Promise<void> => {
    const head = await logHead().catch(() => undefined);
    const states = await reactors().catch(() => []);
    for (const each of [position, lag, setAside]) each.reset();
    for (const state of states) {
      const labels = { reactor: state.name };
      position.set(labels, Number(state.position));
      setAside.set(labels, state.setAside);
      if (head !== undefined) lag.set(labels, head > state.position ? Number(head - state.position) : 0);
    }
  };
  const refresh = once(read);
}

/** All gauges of a scrape ask at once, and one answer serves them. */
function once(read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}
