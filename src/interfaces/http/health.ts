import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

/** Resolves when the part works; rejects or times out when it does not. */
export type HealthCheck = () => Promise<unknown>;

export interface HealthOptions {
  /** By the name in the reply when the part is down: `database`, `log`, `projections`. */
  checks: Readonly<Record<string, HealthCheck>>;
  /** The parts that each part depends on: while one of these is down, only that one is named. */
  needs?: Readonly<Record<string, readonly string[]>>;
  /** Parts that need the operator while the server still serves: named, without a 503. */
  warnings?: Readonly<Record<string, HealthCheck>>;
  /** Returns the names of read models that are halted while everything else works. */
  halted?: () => Promise<string[]>;
  /** Milliseconds for all checks together. */
  deadline?: number;
}

/** Says that the process takes requests, whatever it waits for: for supervisors that restart what does not answer. */
export const LIVENESS = '/livez';
/** Say whether the server serves: for load balancers, and for monitoring. */
export const READINESS = ['/health', '/readyz'] as const;

/** Returns the handlers of `/livez`, `/readyz` and `/health`. */
export function healthHandlers(options: HealthOptions): Readonly<Record<string, RequestHandler>> {
  const readiness = healthHandler(options);
  return { [LIVENESS]: answerAlive, ...Object.fromEntries(READINESS.map((path) => [path, readiness])) };
}

/** Serves `GET /livez`, without a look at any store. */
export function answerAlive(_req: unknown, res: ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end('OK');
}

/**
 * Serves `GET /health`: `OK` as text, as in Mastodon, or JSON if `Accept` names JSON
 * (https://docs.joinmastodon.org/methods/health/); always JSON with 503, which names the parts that are down, and while read
 * models are halted.
 * It reveals nothing else, because it is public.
 */
export function healthHandler(options: HealthOptions): RequestHandler {
  const { checks, needs = {}, warnings = {}, halted, deadline = 2_000 } = options;
  let pending: Promise<[string[], string[], string[]]> | undefined;
  // Concurrent requests share one check, so that they cannot pile up at the database.
  const failing = (): Promise<[string[], string[], string[]]> =>
    (pending ??= Promise.all([
      failingOf(checks, deadline),
      failingOf(warnings, deadline),
      halted?.().catch(() => []) ?? [],
    ]).finally(() => (pending = undefined)));

  return (req, res, next) => {
    failing().then(([notWell, warned, stopped]) => {
      const down = notWell.filter((name) => !needs[name]?.some((other) => notWell.includes(other)));
      const up = down.length === 0;
      const asText = up && stopped.length === 0 && !/\bapplication\/json\b/i.test(req.headers.accept ?? '');
      res.writeHead(up ? 200 : 503, {
        'Content-Type': `${asText ? 'text/plain' : 'application/json'}; charset=utf-8`,
        'Cache-Control': 'no-store',
        Vary: 'Accept',
        'Access-Control-Allow-Origin': '*',
        ...(up ? {} : { 'Retry-After': '5' }),
      });
      const reported = warned.length === 0 ? {} : { warnings: warned };
      const degraded = stopped.length === 0 ? {} : { halted: stopped };
      const status = up ? (stopped.length === 0 ? 'UP' : 'DEGRADED') : 'DOWN';
      const json = { status, ...(up ? {} : { failing: down }), ...degraded, ...reported };
      res.end(asText ? 'OK' : JSON.stringify(json));
    }, next);
  };
}

async function failingOf(checks: HealthOptions['checks'], deadline: number): Promise<string[]> {
  const names = Object.keys(checks);
  const results = await Promise.all(Object.values(checks).map((check) => passes(check, deadline)));
  return names.filter((_name, index) => results[index] !== true);
}

async function passes(check: HealthCheck, deadline: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), deadline);
  const done = Promise.resolve()
    .then(check)
    .then(
      () => true,
      () => false,
    );
  try {
    return await Promise.race([done, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
