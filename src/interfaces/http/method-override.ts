import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '#kernel/event.ts';
import type { Route, Routes } from './routes.ts';

/** As in Rack::MethodOverride, which Rails puts before every application. */
const METHODS: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE', 'GET']);
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Returns the method that a POST stands for by its header, for clients and proxies that know GET and POST alone. */
export function methodOf({ method = '', headers }: IncomingMessage): string {
  const named = headers['x-http-method-override'];
  if (method !== 'POST' || typeof named !== 'string') return method;
  return known(named) ?? method;
}

/**
 * Finds the endpoint of a request. The form of a POST may name another method in its field `_method`, which is known
 * only once the body is read: until then the endpoint stands for those of the same path.
 */
export function routeOf(routes: Routes, req: IncomingMessage, path: string): Route | undefined {
  const { method = '', headers } = req;
  const found = routes.find(method, path);
  if (method !== 'POST' || !FORM.test(headers['content-type'] ?? '')) return found;
  const otherwise = found ?? [...METHODS].map((each) => routes.find(each, path)).find(Boolean);
  return otherwise && { ...otherwise, byForm: (fields) => named(routes, path, fields) ?? found };
}

const named = (routes: Routes, path: string, { _method: method }: JsonObject): Route | undefined =>
  typeof method === 'string' ? routes.find(known(method) ?? '', path) : undefined;

function known(named: string): string | undefined {
  const method = named.toUpperCase();
  return METHODS.has(method) ? method : undefined;
}
