import { expect } from 'chai';
import type { z } from 'zod';
import { endpoints } from '#app/routes.ts';
import { catalogue } from '#events/index.ts';
import type { EventDefinition, JsonObject } from '#kernel/event.ts';
import { projections } from '#projections/index.ts';
import { compareWithPublic, publicReplySchema } from '../support/public-openapi.ts';
import { partsOf, unboundedness } from '../support/schema-walk.ts';
import { startTestServer } from '../support/server.ts';
import { sourcesBelow } from './sources.ts';

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe('The endpoints', () => {
  const sources = sourcesBelow('src', 'commands', 'queries', 'projections');

  it('have each method and path once', () => {
    const names = endpoints.map(nameOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
    // Two patterns that differ only in a parameter's name match the same requests.
    const patterns = endpoints.map((each) => nameOf(each).replaceAll(/:\w+/g, ':'));
    expect(patterns.filter((name, index) => patterns.indexOf(name) !== index)).to.deep.equal([]);
  });

  it('write each path in one file only', () => {
    // Reading and changing at the same path are two endpoints in two files.
    const methods = new Map<string, string[]>();
    for (const { method, path } of endpoints) methods.set(path, [...(methods.get(path) ?? []), method]);
    const wrong = [...methods].flatMap(([path, served]) => {
      const files = sources.flatMap(({ name, text }) =>
        text
          .split(`'${path}'`)
          .slice(1)
          .map(() => name),
      );
      const problem = problemOf(files, served.length);
      return problem === undefined
        ? []
        : [`${path} (${served.join(', ')}) in ${files.join(', ')}: ${problem}`];
    });
    expect(wrong).to.deep.equal([]);
  });

  it('do not shadow each other: no pattern precedes a literal path that it matches', () => {
    const shadowed = endpoints.flatMap((later, index) =>
      endpoints
        .slice(0, index)
        .filter((earlier) => earlier.method === later.method && earlier.path !== later.path)
        .filter((earlier) => matcher(earlier.path).test(later.path.replaceAll(/:\w+/g, '1')))
        .map((earlier) => `${nameOf(earlier)} hides ${nameOf(later)}`),
    );
    expect(shadowed, 'List the literal path first, in the index.ts of its feature').to.deep.equal([]);
  });

  it('declare every parameter of their path', () => {
    const undeclared = endpoints.flatMap((endpoint) =>
      [...endpoint.path.matchAll(/:(\w+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !(name in (endpoint.params?.shape ?? {})))
        .map((name) => `${nameOf(endpoint)}: ${name}`),
    );
    expect(undeclared).to.deep.equal([]);
  });

  it('bound every text and every list in a request', () => {
    /** Accepted and ignored. The size of the whole body is limited. */
    const reviewed = ['POST /api/v1/accounts date_of_birth: a unknown, of any size'];
    const unbounded = endpoints.flatMap((endpoint) =>
      [endpoint.params, endpoint.query, endpoint.body].flatMap((schema) =>
        schema === undefined
          ? []
          : [...partsOf(schema)].flatMap((part) => {
              const why = unboundedness(part);
              return why === undefined ? [] : [`${nameOf(endpoint)} ${part.path}: ${why}`];
            }),
      ),
    );
    const remedy = 'Give each text and each list a maximum (src/kernel/input.ts has the usual parameters)';
    expect(unbounded, remedy).to.deep.equal(reviewed);
  });

  it('reply with the schemas of the public OpenAPI document', function () {
    if (publicReplySchema('GET', '/api/v1/timelines/home') === null) this.skip();
    const reviewed = [
      // The page of the method says that the reply has the source and no HTML.
      'DELETE /api/v1/statuses/:id: content: missing',
      // The page of the method says "List of" and shows a list in its example.
      'GET /api/v1/filters: is no list in public',
      // The page names the entity, but shows the empty object that Mastodon sends.
      'DELETE /api/v2/filters/statuses/:id: id: missing',
      'DELETE /api/v2/filters/statuses/:id: status_id: missing',
    ];
    const differing = endpoints.flatMap((endpoint) => {
      const theirs = publicReplySchema(endpoint.method, endpoint.path);
      if (!theirs) return [];
      return replyDifferences(endpoint.reply, theirs).map((line) => `${nameOf(endpoint)}: ${line}`);
    });
    expect(differing).to.have.members(reviewed);
  });

  it('are all in /api/openapi.json, where every reference resolves', async () => {
    const server = await startTestServer();
    try {
      const { status, body } = await server.call('GET', '/api/openapi.json');
      expect(status).to.equal(200);
      const document = body as OpenApi;
      expect(document.openapi).to.match(/^3\.1\./);
      const described = Object.entries(document.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
      );
      const besides = described.filter((name) => !endpoints.some((each) => nameOf(each) === name));
      expect(described).to.include.members(endpoints.map(nameOf));
      expect(
        besides.filter((name) => !/ (\/oauth|\/\.well-known|\/api\/v1\/streaming)(\/|$)/.test(name)),
      ).to.deep.equal([]);
      expect(besides).to.include.members([
        ...['POST /oauth/token', 'POST /oauth/revoke', 'GET /oauth/authorize', 'GET /oauth/userinfo'],
        ...['GET /api/v1/streaming', 'GET /api/v1/streaming/user', 'GET /api/v1/streaming/hashtag/local'],
      ]);
      const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
      const ids = operations.map(({ operationId }) => operationId);
      expect(new Set(ids).size).to.equal(ids.length);
      for (const { responses } of operations) expect(responses).to.have.any.keys('200', '101');
      const components = new Set(Object.keys(document.components.schemas));
      expect([...references(document)].filter((name) => !components.has(name))).to.deep.equal([]);
    } finally {
      await server.close();
    }
  });
});

describe('The event catalogue', () => {
  /** Reviewed: events without decider or projection, with the reason. */
  const WITHOUT_CONSUMER: Record<string, string> = {};

  it('has each type once', () => {
    const types = catalogue.map(({ type }) => type);
    expect(types.filter((type, index) => types.indexOf(type) !== index)).to.deep.equal([]);
  });

  const definitions: readonly EventDefinition<string, JsonObject>[] = catalogue;
  for (const definition of definitions) {
    const { type, version, schema, samples, upcasts = {}, personal } = definition;
    it(`upcasts the samples of all versions of ${type} to version ${version}`, () => {
      const versions = Array.from({ length: version }, (_, index) => index + 1);
      expect(Object.keys(samples).map(Number).sort(byNumber)).to.deep.equal(versions);
      expect(Object.keys(upcasts).map(Number).sort(byNumber)).to.deep.equal(versions.slice(0, -1));
      for (const from of versions) {
        let data = structuredClone(samples[from] ?? {});
        for (let step = from; step < version; step += 1) data = upcasts[step]?.(data) ?? data;
        expect(schema.parse(data), `version ${from}`).to.deep.equal(data);
      }
      // Erased data is read and projected like any other.
      if (personal) schema.parse({ ...samples[version], ...personal.erased });
    });
  }

  it('contains no event without a projection or a decider', () => {
    const projected = new Set(projections.flatMap(({ handlers }) => handlers.map(({ type }) => type)));
    const deciders = sourcesBelow('commands').filter(({ text }) => /\bDecider</.test(text));
    const unused = catalogue
      .map(({ type }) => type)
      .filter((type) => !projected.has(type) && !(type in WITHOUT_CONSUMER))
      .filter((type) => !deciders.some(({ text }) => text.includes(`'${type}'`)));
    const remedy = 'Handle it in a decider or in a projection (CONTRIBUTING, Adding an event)';
    expect(unused, remedy).to.deep.equal([]);
  });

  it('contains every event that projections handle', () => {
    const types = new Set(catalogue.map(({ type }) => type));
    const unknown = projections.flatMap(({ handlers }) => handlers.filter(({ type }) => !types.has(type)));
    expect(unknown.map(({ type }) => type)).to.deep.equal([]);
  });
});

/** Returns what to do about a path with so many methods that these files write; undefined where all is well. */
function problemOf(files: readonly string[], methods: number): string | undefined {
  if (files.length > methods)
    return 'list its endpoint in an index.ts, or do not write the path where no endpoint is declared';
  if (files.length < methods) return 'write the path of each endpoint in full, as one text';
  return new Set(files).size < methods ? 'give each method of the path a file of its own' : undefined;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, unknown> };
}

const byNumber = (a: number, b: number): number => a - b;

const matcher = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);

/**
 * `entities.unit.spec.ts` compares entities under their public names, this function those under other names. For
 * replies that the public document does not name, it compares only whether they are lists.
 */
function replyDifferences(ours: z.ZodType, theirs: JsonSchema): string[] {
  const isList = theirs.type === 'array';
  if (isList !== (ours.def.type === 'array'))
    return [isList ? 'is a list in public' : 'is no list in public'];
  const entity = isList ? (ours as unknown as z.ZodArray<z.ZodType>).element : ours;
  const { $ref: reference } = (isList ? theirs.items : theirs) as JsonSchema;
  const name = reference?.split('/').at(-1);
  if (name === undefined || entity.meta()?.id === name) return [];
  return compareWithPublic(entity, name) ?? [];
}

/** The names of all components that a document refers to. */
function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string') yield inner.replace('#/components/schemas/', '');
    else yield* references(inner);
  }
}
