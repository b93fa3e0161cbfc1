import { expect } from 'chai';
import { z } from 'zod';
import type { DescribedEndpoint } from '#interfaces/http/openapi/index.ts';
import { openApiDocument } from '#interfaces/http/openapi/index.ts';
import { formBoolean, formInteger, formStringArray, idParam } from '#kernel/input.ts';
import { accountSchema, listSchema, statusSchema } from '#mastodon/schemas/index.ts';

const endpoints: DescribedEndpoint[] = [
  {
    method: 'GET',
    path: '/api/v1/accounts/:id/statuses',
    summary: 'Statuses of an account',
    auth: 'optional',
    scopes: ['read:statuses'],
    params: z.object({ id: idParam }),
    query: z.object({
      limit: formInteger(1, 40).optional(),
      exclude_reblogs: formBoolean.optional(),
      id: formStringArray(40, 20).optional(),
    }),
    reply: z.array(statusSchema),
  },
  {
    method: 'POST',
    path: '/api/v1/lists',
    summary: 'Create a list',
    auth: 'user',
    scopes: ['write:lists'],
    body: z.object({ title: z.string().min(1).max(255), exclusive: formBoolean.optional() }),
    reply: listSchema,
    errors: [422],
  },
  {
    method: 'DELETE',
    path: '/api/v1/lists/:id',
    summary: 'Delete a list',
    auth: 'user',
    scopes: ['write:lists'],
    reply: z.strictObject({}),
  },
  {
    method: 'GET',
    path: '/api/v1/accounts/lookup',
    summary: 'Find an account by its address',
    auth: 'public',
    scopes: [],
    query: z.object({ acct: z.string().max(300) }),
    reply: accountSchema,
    deprecated: true,
  },
  {
    method: 'POST',
    path: '/api/v2/media',
    summary: 'Upload media',
    auth: 'user',
    scopes: ['write:media'],
    body: z.object({ focus: z.string().max(100).optional().describe('The point to look at.') }),
    files: {
      fields: {
        file: { description: 'The file.', required: true },
        thumbnail: { description: 'A picture.' },
      },
    },
    replies: { 202: 'The file is still processed' },
    reply: listSchema,
  },
  { method: 'GET', path: '/health', summary: 'Health', auth: 'public', scopes: [] },
];

interface Operation {
  operationId: string;
  deprecated?: boolean;
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
  security: Record<string, string[]>[];
}

describe('The OpenAPI document', () => {
  const document = openApiDocument(endpoints, {
    title: 'Rookery',
    version: '1.0.0',
    origin: 'https://social.example',
  });
  const json = JSON.parse(JSON.stringify(document)) as typeof document;
  const at = (path: string, method: string): Operation => json.paths[path]?.[method] as Operation;
  const operations = Object.entries(json.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation: operation as Operation })),
  );

  it('is version 3.1 and describes every endpoint once', () => {
    expect(json).to.include({ openapi: '3.1.0' });
    expect(json.info).to.deep.equal({ title: 'Rookery', version: '1.0.0' });
    expect(operations).to.have.length(endpoints.length);
  });

  it('gives every operation its own id', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include('getApiV1AccountsByIdStatuses');
  });

  it('declares every path parameter, and no other', () => {
    for (const { path, operation } of operations) {
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name)).to.deep.equal(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      expect(declared.every(({ required }) => required)).to.equal(true);
      expect(path).not.to.include(':');
    }
  });

  it('has no two parameters with the same name and place', () => {
    for (const { operation } of operations) {
      const keys = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size).to.equal(keys.length);
    }
  });

  it('has no dangling reference', () => {
    const references = referencesIn(json);
    expect(references).to.include('#/components/schemas/Status');
    for (const reference of references) expect(follow(json, reference), reference).to.be.an('object');
  });

  it('has entities as components that refer to each other', () => {
    const { Status, Account } = json.components.schemas as Record<
      string,
      { properties: Record<string, unknown> }
    >;
    expect(Status?.properties['account']).to.deep.equal({ $ref: '#/components/schemas/Account' });
    expect(JSON.stringify(Status?.properties['reblog'])).to.include('#/components/schemas/Status');
    expect(Account?.properties['created_at']).to.deep.equal({ type: 'string', format: 'date-time' });
    expect(JSON.stringify(json)).not.to.include('$defs');
  });

  it('describes parameters as clients send them', () => {
    const { parameters } = at('/api/v1/accounts/{id}/statuses', 'get');
    const named = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
    expect(Object.keys(named)).to.have.members(['id', 'limit', 'exclude_reblogs', 'id[]']);
    expect(JSON.stringify(named['limit']?.schema)).to.include('"maximum":40');
    expect(JSON.stringify(named['exclude_reblogs']?.schema)).to.include('"boolean"');
    expect(named['id[]']).to.include({ in: 'query', required: false, explode: true });
    expect(at('/api/v1/accounts/lookup', 'get').parameters[0]).to.include({ name: 'acct', required: true });
  });

  it('describes the files of a body, which is a multipart form only', () => {
    const { requestBody: body } = at('/api/v2/media', 'post');
    expect(Object.keys(body?.content ?? {})).to.deep.equal(['multipart/form-data']);
    const schema = body?.content['multipart/form-data']?.schema;
    expect(schema?.['required']).to.deep.equal(['file']);
    expect(schema?.['properties']).to.deep.include({
      file: { type: 'string', format: 'binary', description: 'The file.' },
      thumbnail: { type: 'string', format: 'binary', description: 'A picture.' },
    });
  });

  it('describes successful replies with another status', () => {
    const { responses } = at('/api/v2/media', 'post');
    expect(responses['202']?.description).to.equal('The file is still processed');
    expect(responses['202']?.content).to.deep.equal(responses['200']?.content);
  });

  it('describes the details of a validation error', () => {
    const { responses } = at('/api/v1/lists', 'post');
    expect(JSON.stringify(responses['422'])).to.include('#/components/schemas/ValidationError');
    expect(JSON.stringify(json.components.schemas['ValidationError'])).to.include('details');
    expect(
      JSON.stringify(responses['404'] ?? at('/api/v1/lists/{id}', 'delete').responses['404']),
    ).to.include('#/components/schemas/Error');
  });

  it('accepts bodies in three formats', () => {
    const body = at('/api/v1/lists', 'post').requestBody;
    expect(Object.keys(body?.content ?? {})).to.deep.equal([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]);
    expect(body?.required).to.equal(true);
    expect(body?.content['application/json']?.schema['required']).to.deep.equal(['title']);
  });

  it('names the scopes, and the operations that need no token', () => {
    expect(at('/api/v1/lists', 'post').security).to.deep.equal([{ oauth2: ['write:lists'] }]);
    expect(at('/api/v1/accounts/{id}/statuses', 'get').security).to.deep.equal([
      {},
      { oauth2: ['read:statuses'] },
    ]);
    expect(at('/health', 'get').security).to.deep.equal([]);
    const { flows } = json.components.securitySchemes.oauth2;
    expect(Object.keys(flows.authorizationCode.scopes)).to.deep.equal([
      'read:statuses',
      'write:lists',
      'write:media',
    ]);
  });

  it("describes errors in Mastodon's form", () => {
    const { responses } = at('/api/v1/lists/{id}', 'delete');
    expect(Object.keys(responses)).to.include.members(['200', '401', '403', '404', '429']);
    expect(responses['404']?.content?.['application/json']?.schema).to.deep.equal({
      $ref: '#/components/schemas/Error',
    });
    for (const { operation } of operations) {
      for (const response of Object.values(operation.responses))
        expect(response.description).to.be.a('string');
    }
  });

  it('marks deprecated operations', () => {
    expect(at('/api/v1/accounts/lookup', 'get').deprecated).to.equal(true);
    expect(at('/health', 'get')).not.to.have.property('deprecated');
  });
});

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

function follow(document: unknown, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}
