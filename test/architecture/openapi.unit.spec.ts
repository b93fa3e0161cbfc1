import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { openApiDocument } from '#interfaces/http/openapi/index.ts';
import { oauthEndpoints } from '#interfaces/oauth/described.ts';
import { streamingEndpoints } from '#interfaces/streaming/described.ts';

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  required?: string[];
}

interface Operation {
  parameters: { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}

interface Named {
  name: string;
  operation: Operation;
}

/** A description longer than a name: from an upper case letter or a code word to a full stop. */
const DESCRIPTION = /^[A-Z`][^\n]{9,}\.$/;
const REMEDY = 'Describe each by a sentence that ends with a full stop: .describe(...)';

describe('The OpenAPI document of the server', () => {
  const document = openApiDocument([...endpoints, ...oauthEndpoints, ...streamingEndpoints], {
    title: 'Rookery',
    version: '1.0.0',
    origin: 'https://social.example',
  });
  const components = document.components.schemas as Record<string, Schema>;
  const operations: Named[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation: operation as Operation,
    })),
  );

  it('describes every path and query parameter', () => {
    const lacking = operations.flatMap(({ name, operation }) =>
      operation.parameters
        .filter(({ description }) => !DESCRIPTION.test(description ?? ''))
        .map((parameter) => `${name}: ${parameter.name} (${parameter.in})`),
    );
    expect(lacking, REMEDY).to.deep.equal([]);
  });

  it('describes every field of a body, also nested ones', () => {
    const lacking = operations.flatMap(({ name, operation }) =>
      Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
        [...fieldsOf(schema, components)]
          .filter(([, { description }]) => !DESCRIPTION.test(description ?? ''))
          .map(([field]) => `${name}: ${field}`),
      ),
    );
    expect([...new Set(lacking)], REMEDY).to.deep.equal([]);
  });
});

/** The fields of a schema by their paths: `poll`, `poll.options`. */
function* fieldsOf(
  schema: Schema,
  components: Record<string, Schema>,
  path = '',
): Generator<[string, Schema]> {
  const { $ref: reference } = schema;
  const target = reference === undefined ? schema : (components[reference.split('/').at(-1) ?? ''] ?? {});
  for (const [name, field] of Object.entries(target.properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`;
    yield [at, field];
    yield* fieldsOf(field, components, at);
  }
  if (target.items) yield* fieldsOf(target.items, components, path);
  for (const form of [...(target.anyOf ?? []), ...(target.oneOf ?? [])]) {
    yield* fieldsOf(form, components, path);
  }
}
