import { join } from 'node:path';
import { commandEndpoints } from '#commands/index.ts';
import { oauthEndpoints } from '#interfaces/oauth/described.ts';
import { streamingEndpoints } from '#interfaces/streaming/described.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
import { MAIN } from '#kernel/projection.ts';
import { queryEndpoints } from '#queries/index.ts';
import { filesIn, ROOT } from './imports.ts';

export interface Route {
  method: string;
  path: string;
  /** The callers that it accepts: `public`, `optional`, `app`, `user` as in `src/kernel/endpoint.ts`; `session` for pages. */
  auth: string;
  /** Any one of them suffices. */
  scopes: readonly string[];
  /** The groups of read models that requests wait for; undefined where the route is no endpoint value. */
  reads: readonly string[] | undefined;
  /** The groups that the reply to a write does not wait for. */
  defers: readonly string[];
  /** The file that declares it, from the root. */
  file: string;
}

/** Returns the endpoints of the REST API, each with the file that declares it. */
export async function endpointRoutes(): Promise<Route[]> {
  const files = await declaringFiles();
  return [...queryEndpoints, ...commandEndpoints].map((endpoint) => {
    const { method, path, auth, scopes, reads = [MAIN], defers = [] } = endpoint;
    return { method, path, auth, scopes, reads, defers, file: files.get(endpoint) ?? '' };
  });
}

/** Returns the endpoints, the routes of OAuth and streaming that OpenAPI describes, and the pages for accounts. */
export async function allRoutes(): Promise<Route[]> {
  const described = [
    { routes: oauthEndpoints, file: 'src/interfaces/oauth/router.ts' },
    { routes: streamingEndpoints, file: 'src/interfaces/streaming/index.ts' },
  ].flatMap(({ routes, file }) =>
    routes.map(({ method, path, auth, scopes }) => ({ method, path, auth, scopes, file, ...UNDECLARED })),
  );
  const pages = accountPages.flatMap(({ path, submit }) =>
    (submit ? ['GET', 'POST'] : ['GET']).map((method) => ({ method, path, ...PAGE })),
  );
  return [...(await endpointRoutes()), ...described, ...pages];
}

const UNDECLARED = { reads: undefined, defers: [] };
const PAGE = { auth: 'session', scopes: [], file: 'src/interfaces/web/settings/index.ts', ...UNDECLARED };

/** Returns the file of each endpoint value. An index re-exports values of other files, so its own come last. */
async function declaringFiles(): Promise<Map<unknown, string>> {
  const isIndex = (file: string): boolean => file.endsWith('/index.ts');
  const files = filesIn('commands', 'queries').sort((a, b) => Number(isIndex(a)) - Number(isIndex(b)));
  const found = new Map<unknown, string>();
  for (const file of files) {
    const exports = (await import(join(ROOT, file))) as Record<string, unknown>;
    for (const value of Object.values(exports).flat()) if (!found.has(value)) found.set(value, file);
  }
  return found;
}
