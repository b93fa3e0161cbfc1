import type { Endpoint } from '#kernel/endpoint.ts';
import type { JsonObject } from '#kernel/event.ts';

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  /** By method, with the names of the path's parameters. */
  readonly endpoints: Map<string, { endpoint: Endpoint; names: readonly string[] }>;
}

export interface Route {
  endpoint: Endpoint;
  /** In the form of the path, unchecked. */
  params: Record<string, unknown>;
  /** Returns the route that the fields of a form mean; undefined when there is none. */
  byForm?: (fields: JsonObject) => Route | undefined;
}

const NOT_PLAIN = /^[^/]|[%#\s]/;

/**
 * Finds an endpoint by the segments of a path, in as many steps as it has segments; Express tries one pattern
 * after another. It knows only the plain form of a path: Express handles the others (other letter case,
 * escapes, a trailing slash, a whole URL).
 */
export class Routes {
  readonly #root = emptyNode();

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) this.#add(endpoint);
  }

  find(method: string, path: string): Route | undefined {
    if (NOT_PLAIN.test(path)) return undefined;
    const values: string[] = [];
    let node = this.#root;
    for (let start = 1; start <= path.length;) {
      const slash = path.indexOf('/', start);
      const end = slash === -1 ? path.length : slash;
      const segment = path.slice(start, end);
      const literal = node.literals.get(segment);
      if (!literal) values.push(segment);
      const next = literal ?? (segment === '' ? undefined : node.parameter);
      if (!next) return undefined;
      node = next;
      start = end + 1;
    }
    const found = node.endpoints.get(method === 'HEAD' ? 'GET' : method);
    if (!found || path.endsWith('/')) return undefined;
    const params = Object.fromEntries(found.names.map((name, index) => [name, values[index] ?? '']));
    return { endpoint: found.endpoint, params };
  }

  /** If two routes have the same path, the first wins, as in Express. */
  #add(endpoint: Endpoint): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of endpoint.path.split('/').slice(1)) {
      if (segment.startsWith(':')) {
        names.push(segment.slice(1));
        node = node.parameter ??= emptyNode();
      } else {
        const next = node.literals.get(segment) ?? emptyNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    if (!node.endpoints.has(endpoint.method)) node.endpoints.set(endpoint.method, { endpoint, names });
  }
}

const emptyNode = (): Node => ({ literals: new Map(), parameter: undefined, endpoints: new Map() });
