import type { RequestHandler } from 'express';
import { requestBody } from './bodies.ts';
import type { DescribedEndpoint } from './described.ts';
import { PARAMETER, pathParameters, queryParameters } from './parameters.ts';
import { ERROR_SCHEMAS, errorNumbers, errorReply, successes } from './replies.ts';
import { convert, type JsonSchema } from './schemas.ts';

export type { DescribedEndpoint } from './described.ts';

export interface DocumentInfo {
  title: string;
  version: string;
  /** `https://example.org`, without a slash at the end. */
  origin: string;
}

/** Serves the document. The first request makes it, because that takes as long as the rest of a start. */
export function openApiHandler(endpoints: readonly DescribedEndpoint[], info: DocumentInfo): RequestHandler {
  let document: string | undefined;
  return (_req, res) => {
    document ??= JSON.stringify(openApiDocument(endpoints, info));
    res.type('json').send(document);
  };
}

/**
 * Returns the OpenAPI 3.1 document of these endpoints. Schemas with an `id` in their `meta` become
 * components; replies are described as they are sent, parameters and bodies as they may be sent.
 */
export function openApiDocument(endpoints: readonly DescribedEndpoint[], info: DocumentInfo) {
  const outputs = convert(
    'output',
    endpoints.map(({ reply }) => reply),
  );
  const inputs = convert(
    'input',
    endpoints.flatMap(({ params, query, body }) => [params, query, body]),
  );
  const components = { ...ERROR_SCHEMAS, ...inputs.components, ...outputs.components };
  const paths: Record<string, Record<string, unknown>> = {};
  endpoints.forEach((endpoint, index) => {
    const path = endpoint.path.replaceAll(PARAMETER, '{$1}');
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint, {
      reply: outputs.schemas[index],
      params: inputs.schemas[3 * index],
      query: inputs.schemas[3 * index + 1],
      body: inputs.schemas[3 * index + 2],
    });
  });
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: info.version },
    servers: [{ url: info.origin }],
    paths,
    components: { schemas: sorted(components), securitySchemes: securitySchemes(endpoints, info.origin) },
  };
}

interface OperationSchemas {
  params: JsonSchema | undefined;
  query: JsonSchema | undefined;
  body: JsonSchema | undefined;
  reply: JsonSchema | undefined;
}

function operation(endpoint: DescribedEndpoint, schemas: OperationSchemas) {
  const { method, path, summary, auth, scopes, deprecated } = endpoint;
  return {
    operationId: operationId(method, path),
    summary,
    tags: [tagOf(path)],
    ...(deprecated ? { deprecated } : {}),
    parameters: [...pathParameters(path, schemas.params), ...queryParameters(schemas.query)],
    ...(schemas.body ? { requestBody: requestBody(schemas.body, endpoint) } : {}),
    responses: {
      ...successes(endpoint, schemas.reply),
      ...Object.fromEntries(errorNumbers(endpoint).map((status) => [status, errorReply(status)])),
    },
    security: security(auth, scopes),
  };
}

/** Returns `getApiV1AccountsById`, which is unique because method and path are. */
function operationId(method: string, path: string): string {
  const words = path.replaceAll(PARAMETER, 'by_$1').split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Returns the feature: the first word of the path after the version. */
const tagOf = (path: string): string =>
  path.split('/').find((word) => word !== '' && word !== 'api' && !/^v[0-9]/.test(word)) ?? 'other';

function security(auth: DescribedEndpoint['auth'], scopes: readonly string[]): Record<string, string[]>[] {
  if (auth === 'public') return [];
  const token = { oauth2: [...scopes] };
  return auth === 'optional' ? [{}, token] : [token];
}

/** The flows of `/oauth`: https://docs.joinmastodon.org/methods/oauth/ */
function securitySchemes(endpoints: readonly DescribedEndpoint[], origin: string) {
  const names = [...new Set(endpoints.flatMap(({ scopes }) => scopes))].sort();
  const scopes = Object.fromEntries(names.map((name) => [name, `Grants ${name}`]));
  const tokenUrl = `${origin}/oauth/token`;
  return {
    oauth2: {
      type: 'oauth2',
      flows: {
        authorizationCode: { authorizationUrl: `${origin}/oauth/authorize`, tokenUrl, scopes },
        clientCredentials: { tokenUrl, scopes },
      },
    },
  };
}

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
