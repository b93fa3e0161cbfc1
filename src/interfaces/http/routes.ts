import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { Endpoint } from '#kernel/endpoint.ts';
import type { JsonObject } from '#kernel/event.ts';

export interface Route {
  endpoint: Endpoint;
  /** In the form of the path, unchecked. */
  params: Record<string, unknown>;
  /** Returns the route that the fields of a form mean; undefined when there is none. */
  byForm?: (fields: JsonObject) => Route | undefined;
}

/** Characters; a request's head is bounded before. */
const MAX_PARAMETER = 16_384;

/** Finds an endpoint by the path of a request, as Rails does: in any letter case, also with a slash at the end. */
export class Routes {
  readonly #router = findMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: MAX_PARAMETER,
  });

  /** If two endpoints have the same path and method, the first wins. */
  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) {
      const { method, path } = endpoint;
      if (!this.#router.hasRoute(method, path)) this.#router.on(method, path, nothing, endpoint);
    }
  }

  /** Returns undefined for an unknown path, and for one whose escapes are malformed. */
  find(method: string, path: string): Route | undefined {
    const found = this.#router.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path);
    return found ? { endpoint: found.store as Endpoint, params: found.params } : undefined;
  }

  /** Tells whether any method has this path. */
  has(path: string): boolean {
    return METHODS.some((method) => this.#router.find(method, path));
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Endpoint['method'][];

/** The router keeps endpoints as values; `mount` calls them. */
const nothing = (): void => undefined;
