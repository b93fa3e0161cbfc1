import type { Random } from './random.ts';
import type { Things } from './things.ts';
import { nastySegment, nastyText, nastyValue, soundText } from './values.ts';

export interface JsonSchema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonSchema;
}

/** One method of one path, as `/api/openapi.json` describes it. */
export interface Operation {
  method: string;
  /** Such as `/api/v1/accounts/{id}`. */
  path: string;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  /** The statuses of its documented responses. */
  statuses: string[];
}

export interface OpenApi {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters: Parameter[];
        requestBody?: { content: Record<string, { schema: JsonSchema }> };
        responses: Record<string, { content?: Record<string, unknown> }>;
      }
    >
  >;
  components: { schemas: Record<string, JsonSchema> };
}

export interface FuzzRequest {
  method: string;
  /** Includes the query string, and is encoded for a request line. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** Returns all operations except streams, which do not end, and the pages of OAuth, which answer in HTML. */
export const operationsOf = ({ paths }: OpenApi): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !NOT_ASKED.some((type) => type in (responses['200']?.content ?? {})))
      .map(([method, { parameters, requestBody, responses }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        statuses: Object.keys(responses),
        body: (requestBody?.content['application/json'] ?? requestBody?.content['multipart/form-data'])
          ?.schema,
      })),
  );

const NOT_ASKED = ['text/event-stream', 'text/html'];

/** Where a value goes, and how likely it is to be invalid. */
interface Place {
  path: string;
  name: string;
  bad: number;
}

/** Generates requests for one operation: mostly valid, with one or two invalid values. */
export class RequestMaker {
  readonly #schemas: Record<string, JsonSchema>;
  readonly #things: Things;

  constructor({ components }: OpenApi, things: Things) {
    this.#schemas = components.schemas;
    this.#things = things;
  }

  make(random: Random, operation: Operation): FuzzRequest {
    const { method, path, body } = operation;
    // The probability that a single value is invalid.
    const bad = random.pick([0, 0.1, 0.3, 0.8]);
    const where = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      random.chance(bad / 2) ? nastySegment(random) : encodeURIComponent(this.#segment(random, name, path)),
    );
    const query = this.#query(random, operation, bad);
    const { headers, content } =
      method === 'GET' || !body
        ? { headers: {}, content: undefined }
        : this.#body(random, this.#value(random, body, { path, name: 'body', bad }), bad);
    const key = random.chance(0.1)
      ? { 'Idempotency-Key': random.pick(['a', 'b', 'x'.repeat(300), '%00', '"']) }
      : {};
    return { method, path: `${where}${query}`, headers: { ...headers, ...key }, body: content };
  }

  #segment(random: Random, name: string, path: string): string {
    return /id$/.test(name) ? this.#things.pick(random, name, path) : String(soundText(random, name));
  }

  #query(random: Random, { parameters, path }: Operation, bad: number): string {
    const pairs = parameters
      .filter((each) => each.in === 'query' && (random.chance(0.4) || (each.required && random.chance(0.9))))
      .flatMap(({ name, schema }) =>
        formPairs(name, this.#value(random, schema, { path, name: name.replace('[]', ''), bad })),
      );
    if (random.chance(bad / 4)) pairs.push(random.pick(ODD_PAIRS));
    return pairs.length === 0 ? '' : `?${pairs.slice(0, 1_100).join('&')}`.slice(0, 12_000);
  }

  #body(random: Random, value: unknown, bad: number): { headers: Record<string, string>; content: Buffer } {
    if (random.chance(bad / 3)) return brokenBody(random, value);
    const kind = random.pick(['json', 'json', 'form', 'multipart']);
    const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (kind === 'json') return { headers: JSON_TYPE, content: Buffer.from(JSON.stringify(value) ?? '') };
    if (kind === 'form') {
      const pairs = fields.flatMap(([name, each]) => formPairs(name, each));
      return { headers: FORM_TYPE, content: Buffer.from(pairs.slice(0, 1_500).join('&')) };
    }
    return { headers: MULTIPART_TYPE, content: multipart(fields, random.chance(0.3)) };
  }

  #value(random: Random, given: JsonSchema, at: Place): unknown {
    const { name, bad } = at;
    if (name !== 'body' && random.chance(bad)) return nastyValue(random);
    const schema =
      given.$ref === undefined ? given : (this.#schemas[given.$ref.split('/').at(-1) ?? ''] ?? {});
    // The `anyOf` alternatives of an object only list its required fields.
    const options = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
    if (options) return this.#value(random, random.pick(options), at);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    return this.#ofType(random, schema, at);
  }

  #ofType(random: Random, schema: JsonSchema, at: Place): unknown {
    const { path, name } = at;
    switch (schema.type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(([key]) => random.chance(schema.required?.includes(key) === true ? 0.95 : 0.5))
            .map(([key, each]) => [key, this.#value(random, each, { ...at, name: key })]),
        );
      case 'array':
        return Array.from({ length: random.below(4) }, () =>
          this.#value(random, schema.items ?? {}, { ...at, name: name.replace(/s$/, '') }),
        );
      case 'boolean':
        return random.chance(0.5);
      case 'integer':
      case 'number':
        return random.pick([schema.minimum ?? 0, Math.min(schema.maximum ?? 20, 2 ** 53), 1, 20]);
      case 'null':
        return null;
      default:
        // The document says little about values that are first read as text, such as ids, lists and numbers.
        if (/(^|_)ids?$/.test(name)) return this.#things.pick(random, name, path);
        return random.chance(0.2)
          ? random.pick([20, true, [soundText(random, name)]])
          : soundText(random, name);
    }
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const MULTIPART_TYPE = { 'Content-Type': 'multipart/form-data; boundary=fuzz' };
const ODD_PAIRS = [
  ...[
    '__proto__=1',
    'constructor[prototype][x]=1',
    'a[b][c][d][e][f][g][h]=1',
    'limit[]=1',
    'limit=1&limit=2',
    '%=1',
    '=',
    '&&',
  ],
  ...[
    'a=%ff',
    'a=%ED%A0%80',
    'max_id[a]=1',
    '[]=1',
    'a[=1',
    'a]=1',
    'id[]=',
    'access_token=x',
    'a=%u0041',
    '%00=1',
  ],
  Array.from({ length: 1_000 }, () => 'id[]=1').join('&'),
];

/** Encodes nested values as forms do: `a[b]=1`, `a[]=1`. */
function formPairs(name: string, value: unknown): string[] {
  if (Array.isArray(value)) {
    const list = name.endsWith('[]') ? name : `${name}[]`;
    return value.slice(0, 1_100).flatMap((each) => formPairs(list, each));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => formPairs(`${name}[${key}]`, each));
  }
  const text = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
  return [`${escape(name)}=${escape(text)}`];
}

/**
 * Encodes half of a surrogate pair, which UTF-8 cannot hold, as a careless client would: each half by itself.
 */
const escape = (text: string): string =>
  text.isWellFormed() ? encodeURIComponent(text) : encodeURIComponent(text.toWellFormed()) + '%ED%A0%80';

function multipart(fields: readonly [string, unknown][], withFile: boolean): Buffer {
  const parts = fields
    .flatMap(([name, value]) => formPairs(name, value))
    .slice(0, 1_100)
    .map((pair) => pair.split('=', 2).map((text) => text.replaceAll(/%[\da-f]{2}/gi, '_')))
    .map(
      ([name = '', value = '']) =>
        `--fuzz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
  if (withFile) {
    parts.push(
      '--fuzz\r\nContent-Disposition: form-data; name="file"; filename="a\u202egnp.png"\r\nContent-Type: image/png\r\n\r\n' +
        '\x89PNG\r\n\x1a\nnothing\r\n',
    );
  }
  return Buffer.from(`${parts.join('')}--fuzz--\r\n`);
}

/** Bodies that are invalid as a whole. */
function brokenBody(random: Random, value: unknown): { headers: Record<string, string>; content: Buffer } {
  const json = JSON.stringify(value) ?? '{}';
  const inside = json.slice(1, -1);
  const name = random.pick(['__proto__', 'constructor', 'prototype', 'a\\u0000b', '\\ud800', '']);
  const bodies: [Record<string, string>, string | Buffer][] = [
    [JSON_TYPE, json.slice(0, random.below(json.length))],
    [JSON_TYPE, `${json}${json}`],
    [JSON_TYPE, `[${json}]`],
    [JSON_TYPE, `{${inside === '' ? '' : `${inside},`}"${name}":${JSON.stringify(nastyValue(random))}}`],
    [JSON_TYPE, inside === '' ? '{}' : `{${inside},${inside}}`],
    [JSON_TYPE, `{"status":1e999,"limit":-1E+400,"id":${'9'.repeat(500)}}`],
    [JSON_TYPE, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    [JSON_TYPE, '{"a":'.repeat(40) + '1' + '}'.repeat(40)],
    [FORM_TYPE, json],
    [FORM_TYPE, random.pick(ODD_PAIRS)],
    [FORM_TYPE, `${encodeURIComponent(nastyText(random).toWellFormed())}=%`],
    [
      {
        'Content-Type': random.pick([
          'text/plain',
          'application/xml',
          'a',
          '',
          ';',
          'application/json; charset=utf-16',
        ]),
      },
      json,
    ],
    [{ ...JSON_TYPE, 'Content-Encoding': random.pick(['gzip', 'br', 'nonsense']) }, json],
    [{ 'Content-Type': 'multipart/form-data' }, json],
    [{ 'Content-Type': 'multipart/form-data; boundary=' }, json],
    [MULTIPART_TYPE, ''],
    [MULTIPART_TYPE, '--fuzz--\r\n'],
    [
      MULTIPART_TYPE,
      '--fuzz\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n\x89PNG',
    ],
    [MULTIPART_TYPE, '--fuzz\r\nContent-Disposition: form-data\r\n\r\nx\r\n--fuzz--\r\n'],
    [MULTIPART_TYPE, '--fuzz\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--fuzz--\r\n'],
    [
      MULTIPART_TYPE,
      '--fuzz\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--fuzz--\r\n',
    ],
  ];
  const [headers, content] = random.pick(bodies);
  return { headers, content: Buffer.isBuffer(content) ? content : Buffer.from(content) };
}
