import { commandEndpoints } from '#commands/index.ts';
import { oauthEndpoints } from '#interfaces/oauth/described.ts';
import { streamingEndpoints } from '#interfaces/streaming/described.ts';
import { consolePages } from '#interfaces/web/admin/index.ts';
import { clientPages } from '#interfaces/web/client/index.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
import { MAIN } from '#kernel/projection.ts';
import { queryEndpoints } from '#queries/index.ts';
import { declarationsIn } from './declarations.ts';

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
  const declared = await declarationsIn('commands', 'queries');
  return [...queryEndpoints, ...commandEndpoints].map((endpoint) => {
    const { method, path, auth, scopes, reads = [MAIN], defers = [] } = endpoint;
    return { method, path, auth, scopes, reads, defers, file: declared.get(endpoint)?.file ?? '' };
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
  const declared = await declarationsIn('src/interfaces/web');
  return [...accountPages, ...consolePages, ...clientPages].flatMap((page) =>
    methodsOf(page).map((method) => {
      const auth = page.audience === 'users' ? 'session' : 'public';
      return {
        method,
        path: page.path,
        auth,
        scopes: [],
        file: declared.get(page)?.file ?? '',
        ...UNDECLARED,
      };
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
