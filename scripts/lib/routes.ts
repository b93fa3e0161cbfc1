import { join } from 'node:path';
import { commandEndpoints } from '../../commands/index.ts';
import { queryEndpoints } from '../../queries/index.ts';
import { oauthEndpoints } from '../../src/interfaces/oauth/described.ts';
import { streamingEndpoints } from '../../src/interfaces/streaming/described.ts';
import { consolePages } from '../../src/interfaces/web/admin/index.ts';
import { clientPages } from '../../src/interfaces/web/client/index.ts';
import type { WebPage } from '../../src/interfaces/web/page/page.ts';
import { accountPages } from '../../src/interfaces/web/settings/index.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { filesIn, ROOT } from './imports.ts';

export interface Route {
  method: string;
  path: string;
  /**
   * The callers that it accepts: `public`, `optional`, `app`, `user` as in `src/kernel/endpoint.ts`; `session` for pages of
   * signed-in users.
   */
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
  const files = await declaringFiles('commands', 'queries');
  return [...queryEndpoints, ...commandEndpoints].map((endpoint) => {
    const { method, path, auth, scopes, reads = [MAIN], defers = [] } = endpoint;
    return { method, path, auth, scopes, reads, defers, file: files.get(endpoint) ?? '' };
  });
}

/** Returns the endpoints, the routes of OAuth and streaming that OpenAPI describes, and the pages of `src/interfaces/web`. */
export async function allRoutes(): Promise<Route[]> {
  const described = [
    { routes: oauthEndpoints, file: 'src/interfaces/oauth/router.ts' },
    { routes: streamingEndpoints, file: 'src/interfaces/streaming/index.ts' },
  ].flatMap(({ routes, file }) =>
    routes.map(({ method, path, auth, scopes }) => ({ method, path, auth, scopes, file, ...UNDECLARED })),
  );
  return [...(await endpointRoutes()), ...described, ...(await pageRoutes())];
}

/** Returns the pages of the settings, the console and the web client: GET shows one, POST takes its form. */
async function pageRoutes(): Promise<Route[]> {
  const files = await declaringFiles('src/interfaces/web');
  return [...accountPages, ...consolePages, ...clientPages].flatMap((page) =>
    methodsOf(page).map((method) => {
      const auth = page.audience === 'users' ? 'session' : 'public';
      return { method, path: page.path, auth, scopes: [], file: files.get(page) ?? '', ...UNDECLARED };
    }),
  );
}

/** The address of a button shows nothing. */
const BUTTON = /^\/web\/v\d\//;

function methodsOf({ path, submit }: WebPage): string[] {
  if (!submit) return ['GET'];
  return BUTTON.test(path) ? ['POST'] : ['GET', 'POST'];
}

const UNDECLARED = { reads: undefined, defers: [] };

/** Returns the file of each exported value. Lists repeat the values of files below and beside them, so they come last. */
async function declaringFiles(...folders: string[]): Promise<Map<unknown, string>> {
  const place = (file: string): number => file.split('/').length * 2 - Number(file.endsWith('/index.ts'));
  const files = filesIn(...folders).sort((a, b) => place(b) - place(a));
  const found = new Map<unknown, string>();
  for (const file of files) {
    const exports = (await import(join(ROOT, file))) as Record<string, unknown>;
    for (const value of Object.values(exports).flat()) if (!found.has(value)) found.set(value, file);
  }
  return found;
}
