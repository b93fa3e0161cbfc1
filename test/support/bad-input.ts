/** Invalid input, for specs that send it to every endpoint. */

export interface BadBody {
  what: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
  /** The expected status of the refusal; absent when the value is ignored. */
  status?: number;
}

/** Path segments that name nothing. */
export const BAD_SEGMENTS: Record<string, string> = {
  'a word': 'abc',
  'a negative number': '-1',
  'a fraction': '1.5',
  'one more than the largest id': '9223372036854775808',
  'the largest id': '9223372036854775807',
  zero: '0',
  'a number that does not exist': '1',
  'a huge number': '9'.repeat(400),
  NUL: '%00',
  'a number with NUL': '1%00',
  emoji: '%F0%9F%98%80',
  SQL: "1'%20or%20'1'='1",
  'a path': '..%2F..%2Fetc%2Fpasswd',
  'half a character': '%E0%A4',
};

/** Values for fields of forms and query strings. */
export const BAD_TEXTS = [
  '',
  ' ',
  'x',
  '-1',
  '0',
  '1.5',
  '1e309',
  'NaN',
  '9223372036854775808',
  '9'.repeat(400),
  'true',
  'null',
  "'; drop table accounts; --",
  '"><script>alert(1)</script>',
  '%',
  '\\',
  '😀'.repeat(100),
  'x'.repeat(5_000),
];

/** Values for fields of JSON bodies, as JSON text. */
export const BAD_JSON: string[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'a\0b',
  '\0',
  '\ud800',
  '\u202e\u0000',
  'x'.repeat(200_000),
  '😀'.repeat(50_000),
  [],
  {},
  [null],
  [[1]],
  [{}],
  { a: { b: 1 } },
  { '0': 'x', '1': 'y' },
  { length: 3 },
  Array.from({ length: 4_900 }, (_, index) => String(index)),
  ['x'.repeat(90_000)],
].map((value) => JSON.stringify(value));

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Bodies that are invalid as a whole. */
export const BAD_BODIES: BadBody[] = [
  // Rails ignores these, and so do we.
  ...['[]', '"text"', 'null', '1'].map((body) => ({ what: `JSON ${body}`, headers: JSON_TYPE, body })),
  { what: 'XML', headers: { 'Content-Type': 'text/xml' }, body: '<a/>' },
  { what: 'bytes', headers: { 'Content-Type': 'application/octet-stream' }, body: 'a=b' },
  { what: 'a type that is none', headers: { 'Content-Type': ';;;' }, body: 'a=b' },
  { what: 'UTF-16', headers: { 'Content-Type': 'application/json; charset=utf-16' }, body: '{}' },
  { what: 'a hash that is a text at last', headers: FORM_TYPE, body: 'a[b]=1&a=2' },
  ...['{', '{"a": ', 'undefined', '{"a":1}}', "{'a':1}", '\ufeff\ufeff{}'].map((body) => ({
    what: `JSON ${body}`,
    headers: JSON_TYPE,
    body,
    status: 400,
  })),
  {
    what: 'JSON that is not UTF-8',
    headers: JSON_TYPE,
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    status: 400,
  },
  {
    what: 'deep JSON',
    headers: JSON_TYPE,
    body: `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`,
    status: 400,
  },
  { what: 'deep objects', headers: JSON_TYPE, body: `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`, status: 400 },
  { what: 'JSON of many values', headers: JSON_TYPE, body: `{"a":[${'{},'.repeat(30_000)}{}]}`, status: 400 },
  {
    what: 'JSON of many keys',
    headers: JSON_TYPE,
    body: `{${Array.from({ length: 6_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    status: 400,
  },
  { what: 'a prototype', headers: JSON_TYPE, body: '{"__proto__":{"admin":true}}', status: 400 },
  { what: 'a constructor', headers: JSON_TYPE, body: '{"constructor":{"prototype":{}}}', status: 400 },
  { what: 'a NUL in a name', headers: JSON_TYPE, body: '{"a\\u0000b":1}', status: 400 },
  { what: 'more than a megabyte', headers: JSON_TYPE, body: `{"a":"${'x'.repeat(1_100_000)}"}`, status: 413 },
  { what: 'gzip', headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: '{}', status: 415 },
  ...['a=%ff', 'a=%', 'a=%00', 'a=1&a[b]=2', 'a[b][c][d][e][f][g]=1', '__proto__[x]=1'].map((body) => ({
    what: `the form ${body}`,
    headers: FORM_TYPE,
    body,
    status: 400,
  })),
  { what: 'a form of too many fields', headers: FORM_TYPE, body: 'a[]=1&'.repeat(2_000), status: 400 },
  {
    what: 'multipart without boundary',
    headers: { 'Content-Type': 'multipart/form-data' },
    body: 'x',
    status: 400,
  },
  {
    what: 'multipart that is cut off',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nhalf',
    status: 400,
  },
  {
    what: 'multipart of nonsense',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: 'there is no part here',
    status: 400,
  },
];

/**
 * Returns the JSON text of an object that holds a bad value at a path (`{ a: [{ b: bad }] }` for `a[].b`) and
 * otherwise the `sound` members.
 */
export const bodyWith = (path: string, bad: string, sound: object = {}): string =>
  JSON.stringify({ ...sound, ...placed(path, 'BAD') }).replace('"BAD"', () => bad);

function placed(path: string, value: unknown): object {
  const [, first = '', list, rest = ''] = /^([^.[]+)(\[\])?(.*)$/.exec(path) ?? [];
  const inner = rest === '' ? value : placed(rest.replace(/^\./, ''), value);
  return { [first]: list === undefined ? inner : [inner] };
}
