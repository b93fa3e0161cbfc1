import { commandEndpoints } from '#commands/index.ts';
import { openApiDocument } from '#interfaces/http/openapi/index.ts';
import { queryEndpoints } from '#queries/index.ts';
import { type OpenApi, operationsOf } from '../support/fuzz/requests.ts';

/** One operation of Mastodon's API: a method and a path in the OpenAPI document of Rookery. */
export interface Operation {
  /** For example `GET /api/v1/lists/{id}`. */
  name: string;
  method: string;
  path: string;
  ids: string[];
  query: string[];
  /** The members of the body. */
  members: string[];
  isForStaff: boolean;
}

/** Paths that Mastodon does not have. */
const OWN =
  /rookery|\/admin\/(?:audit|appeals|statuses|domain_allows\/preview)|\/strikes|\/crypto\/|\/admin\/accounts\/\{id\}\/statuses\/action/;

/** Returns the operations that Mastodon and Rookery share, sorted by path. */
export function operations(): Operation[] {
  const info = { title: 'conformance', version: '0', origin: 'https://host' };
  const document = openApiDocument([...commandEndpoints, ...queryEndpoints], info);
  return operationsOf(document as unknown as OpenApi)
    .filter(({ path }) => !OWN.test(path))
    .map(({ method, path, parameters, body }) => ({
      name: `${method} ${path}`,
      method,
      path,
      ids: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
      query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
      members: Object.keys(body?.properties ?? {}),
      isForStaff: path.includes('/admin/'),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
