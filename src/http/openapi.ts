import type { RequestHandler } from 'express';
import { z } from 'zod';

/** The part of an endpoint value that the document shows. */
export interface DescribedEndpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express form: `/api/v1/accounts/:id`. */
  path: string;
  summary: string;
  auth: 'public' | 'optional' | 'app' | 'user';
  scopes: readonly string[];
  params?: z.ZodObject | undefined;
  query?: z.ZodObject | undefined;
  body?: z.ZodObject | undefined;
  /** Fields of the body that the handler demands; of a list of names, one suffices. */
  requires?: readonly (string | readonly string[])[] | undefined;
  reply?: z.ZodType | undefined;
  /** The type of the reply; JSON unless given. */
  contentType?: string | undefined;
  errors?: readonly number[] | undefined;
  deprecated?: boolean | undefined;
  files?: { fields: Readonly<Record<string, { description: string; required?: true }>> } | undefined;
  /** The meanings of successful replies with another status than 200, by status. */
  replies?: Readonly<Record<number, string>> | undefined;
}

export interface DocumentInfo {
  title: string;
  version: string;
  /** `https://example.org`, without a slash at the end. */
  origin: string;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Serves the document. It is made for the first who asks, for that takes as long as the rest of a start. */
export function openApiHandler(endpoints: readonly DescribedEndpoint[], info: DocumentInfo): RequestHandler {
  let document: string | undefined;
  return (_req, res) => {
    document ??= JSON.stringify(openApiDocument(endpoints, info));
    res.type('json').send(document);
  };
}

/**
 * The OpenAPI 3.1 document of these endpoints, ready for JSON. Schemas with an `id` in their `meta` become components;
 * replies are described as they are sent, parameters and bodies as they may be sent.
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

const PARAMETER = /:([A-Za-z_]+)/g;
const MULTIPART = 'multipart/form-data';
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', MULTIPART];

const ERROR_SCHEMAS: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    properties: { error: { type: 'string' }, error_description: { type: 'string' } },
    required: ['error'],
  },
  ValidationError: {
    type: 'object',
    properties: {
      error: { type: 'string' },
      details: {
        type: 'object',
        description: 'What is wrong, by the name of the field.',
        additionalProperties: {
          type: 'array',
          items: {
            type: 'object',
            properties: { error: { type: 'string' }, description: { type: 'string' } },
            required: ['error', 'description'],
          },
        },
      },
    },
    required: ['error'],
  },
};

const STATUS_TEXTS: Record<number, string> = {
  400: 'The request is malformed',
  401: 'The token is missing or invalid',
  403: 'The token may not do this',
  404: 'There is no such thing, or it is hidden',
  409: 'The request conflicts with another one',
  410: 'It is gone',
  413: 'The body is too large',
  415: 'The type of the body is not understood',
  422: 'A value is invalid',
  429: 'Too many requests',
  503: 'Try again later',
};

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

/** A stream that only changes protocols has no reply of status 200. */
function successes(
  { replies = {}, contentType = 'application/json' }: DescribedEndpoint,
  reply?: JsonSchema,
) {
  const content = reply ? { content: { [contentType]: { schema: reply } } } : {};
  const statuses = 101 in replies ? replies : { 200: 'Success', ...replies };
  return mapValues(statuses, (description) => ({ description, ...content }));
}

/** `getApiV1AccountsById`: unique, since method and path are. */
function operationId(method: string, path: string): string {
  const words = path.replaceAll(PARAMETER, 'by_$1').split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The feature: the first word of the path after the version. */
const tagOf = (path: string): string =>
  path.split('/').find((word) => word !== '' && word !== 'api' && !/^v[0-9]/.test(word)) ?? 'other';

function pathParameters(path: string, schema: JsonSchema | undefined) {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describedBy(schema?.properties?.[name]),
    schema: schema?.properties?.[name] ?? { type: 'string' },
  }));
}

function queryParameters(schema: JsonSchema | undefined) {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const isList = isArray(property);
    return {
      name: isList ? `${name}[]` : name,
      in: 'query',
      required: schema?.required?.includes(name) ?? false,
      ...describedBy(property),
      schema: property,
      ...(isList ? { style: 'form', explode: true } : {}),
    };
  });
}

/** The description of a parameter, which readers look for beside its schema. */
const describedBy = (schema: JsonSchema | boolean | undefined): { description?: string } =>
  typeof schema === 'object' && schema.description !== undefined ? { description: schema.description } : {};

const isArray = (schema: JsonSchema | boolean): boolean =>
  typeof schema === 'object' && (schema.type === 'array' || (schema.anyOf ?? []).some(isArray));

/** Adds the names that are demanded to those that the validator itself demands. */
function withRequired(schema: JsonSchema, requires: NonNullable<DescribedEndpoint['requires']>): JsonSchema {
  const names = requires.filter((each) => typeof each === 'string');
  const required = [...new Set([...(schema.required ?? []), ...names])];
  const anyOf = requires
    .flatMap((each) => (typeof each === 'string' ? [] : each))
    .map((name) => ({ required: [name] }));
  return { ...schema, ...(required.length > 0 ? { required } : {}), ...(anyOf.length > 0 ? { anyOf } : {}) };
}

/** Files come in multipart bodies only; a body with a required file has no other form. */
function requestBody(
  given: JsonSchema,
  { requires = [], files: { fields: files } = { fields: {} } }: DescribedEndpoint,
) {
  const schema = withRequired(given, requires);
  const requiredFiles = Object.keys(files).filter((name) => files[name]?.required);
  const required = [...(schema.required ?? []), ...requiredFiles];
  const withFiles: JsonSchema = {
    ...schema,
    properties: {
      ...schema.properties,
      ...mapValues(files, ({ description }) => ({ type: 'string' as const, format: 'binary', description })),
    },
    ...(required.length > 0 ? { required } : {}),
  };
  const types = requiredFiles.length > 0 ? [MULTIPART] : BODY_TYPES;
  return {
    required: required.length > 0 || schema.anyOf !== undefined,
    content: Object.fromEntries(
      types.map((type) => [type, { schema: type === MULTIPART ? withFiles : schema }]),
    ),
  };
}

/** The declared numbers, and those that follow from the declaration. */
function errorNumbers({ method, auth, body, query, path, errors = [] }: DescribedEndpoint): number[] {
  const numbers = new Set([...errors, 400, 429, 503]);
  const add = (...statuses: number[]): void => statuses.forEach((status) => numbers.add(status));
  if (auth !== 'public') add(401, 403);
  // The token of an application alone is invalid where a user is needed.
  if (auth === 'user' || [body, query].some((schema) => schema && canRefuse(schema))) add(422);
  if (body) add(413, 415);
  if (method !== 'GET' && auth === 'user') add(409);
  if (path.includes(':')) add(404);
  return [...numbers].sort((a, b) => a - b);
}

const WRONG_VALUES: readonly unknown[] = [{}, 'x'.repeat(200_000)];

/** Whether a value can be wrong. Much is read so that none can: a limit that is no number is the default. */
const canRefuse = ({ shape }: z.ZodObject): boolean =>
  Object.values(shape).some((field: z.ZodType) =>
    WRONG_VALUES.some((value) => !field.safeParse(value).success),
  );

const errorReply = (status: number) => ({
  description: STATUS_TEXTS[status] ?? 'Failure',
  content: {
    'application/json': {
      schema: { $ref: `#/components/schemas/${status === 422 ? 'ValidationError' : 'Error'}` },
    },
  },
});

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

/**
 * Converts all schemas at once, so that a schema with an id appears once. Input and output of the same id differ in coercions
 * alone; the description of the output wins.
 */
function convert(io: 'input' | 'output', schemas: readonly (z.ZodType | undefined)[]) {
  const shape = Object.fromEntries(
    schemas.flatMap((schema, index) => (schema ? [[`s${index}`, schema]] : [])),
  );
  const { $defs = {}, properties = {} } = z.toJSONSchema(z.object(shape), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return {
    components: mapValues($defs, withComponentRefs),
    schemas: schemas.map((_, index) => withComponentRefs(properties[`s${index}`]) as JsonSchema | undefined),
  };
}

/** Drops what tells a reader nothing: the pattern of a named format, and the bounds of safe integers. */
function tidy(schema: JsonSchema): void {
  if (schema.format) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  delete schema.id;
}

/** A copy with the references of JSON Schema turned into those of OpenAPI. */
function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace(/^#\/\$defs\//, '#/components/schemas/')]
        : [key, withComponentRefs(inner)],
    ),
  );
}

const mapValues = <Value, Result>(record: Record<string, Value>, map: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
