import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BodyLimits, ParsedBody } from '#interfaces/http/bodies.ts';
import { parseBody, parseQuery } from '#interfaces/http/bodies.ts';
import { serveRequests } from '#interfaces/http/unread-bodies.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { eventually } from '../support/eventually.ts';

interface Outcome {
  parsed?: ParsedBody;
  code?: string;
}

describe('Request bodies', () => {
  let server: Server;
  let origin: string;
  let limits: BodyLimits;
  let outcomes: ((outcome: Outcome) => void)[];

  before(async () => {
    server = createServer();
    serveRequests(server, (req, res) => {
      parseBody(req, limits).then(
        (parsed) => {
          outcomes.shift()?.({ parsed });
          res.end('ok');
        },
        (error: unknown) => {
          outcomes.shift()?.({ code: isRookeryError(error) ? error.code : String(error) });
          res.writeHead(400).end('no');
        },
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  beforeEach(() => {
    limits = {};
    outcomes = [];
  });

  async function send(init: RequestInit): Promise<Outcome> {
    const outcome = new Promise<Outcome>((resolve) => outcomes.push(resolve));
    const response = await fetch(origin, { method: 'POST', ...init });
    await response.text();
    return outcome;
  }

  const post = (type: string, body: string | Uint8Array<ArrayBuffer>): Promise<Outcome> =>
    send({ headers: { 'content-type': type }, body });
  const json = (body: string): Promise<Outcome> => post('application/json', body);
  const form = (body: string): Promise<Outcome> => post('application/x-www-form-urlencoded', body);
  const fields = (outcome: Outcome): unknown => outcome.parsed?.fields ?? outcome.code;

  describe('in JSON', () => {
    it('are parsed unchanged, whatever the case and charset of the content type', async () => {
      const body = { status: 'ümlaut 🦜', media_ids: ['1'], poll: { options: ['a'] }, sensitive: null };
      expect(fields(await json(JSON.stringify(body)))).to.deep.equal(body);
      expect(fields(await post('Application/JSON; charset=UTF-8', '{"a":1}'))).to.deep.equal({ a: 1 });
    });

    it('are empty when there is no body', async () => {
      expect(fields(await send({}))).to.deep.equal({});
      expect(fields(await json(''))).to.deep.equal({});
    });

    it('have lists under their names, also where an app adds the brackets of a form', async () => {
      const body = {
        'media_ids[]': ['1', '2'],
        status: 'media_ids[]',
        'types[]': 'mention',
        '[]': 1,
        poll: { 'options[]': ['a', 'b'] },
        fields_attributes: [{ 'x[]': [{ 'y[]': null }] }],
      };
      expect(fields(await json(JSON.stringify(body)))).to.deep.equal({
        media_ids: ['1', '2'],
        status: 'media_ids[]',
        types: ['mention'],
        '[]': 1,
        poll: { options: ['a', 'b'] },
        fields_attributes: [{ x: [{ y: null }] }],
      });
    });

    it('refuse a list with two names, and brackets around a forbidden one', async () => {
      expect(fields(await json('{"a[]":["1"],"a":["2"]}'))).to.equal('bad_request');
      expect(fields(await json('{"__proto__[]":["1"]}'))).to.equal('bad_request');
    });

    it('accept escaped surrogate pairs, and refuse lone surrogates and NUL', async () => {
      expect(fields(await json('{"a":"\\ud83e\\udd9c"}'))).to.deep.equal({ a: '🦜' });
      expect(fields(await json('{"a":"\\\\u0000"}'))).to.deep.equal({ a: '\\u0000' });
      expect(fields(await json('{"a":["\\ud83e"]}'))).to.equal('bad_request');
      expect(fields(await json('{"a":{"b":"x\\u0000"}}'))).to.equal('bad_request');
    });

    it('are read as an empty object when they hold a list, a text or null', async () => {
      for (const body of ['[1]', '"a"', 'null']) expect(fields(await json(body)), body).to.deep.equal({});
    });

    for (const [title, body] of [
      ['malformed text', '{"a":'],
      ['__proto__', '{"__proto__":{"admin":true}}'],
      ['a nested __proto__', '{"a":[{"__proto__":1}]}'],
      ['constructor', '{"constructor":{"prototype":{}}}'],
      ['more than 5,000 values', JSON.stringify({ a: Array.from({ length: 5_000 }, () => 1) })],
      [
        'more than 5,000 keys',
        JSON.stringify({ a: Array.from({ length: 2_000 }, () => ({ a: 1, b: 2, c: 3 })) }),
      ],
      ['deep nesting', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ] as const) {
      it(`refuse ${title}`, async () => {
        expect(fields(await json(body))).to.equal('bad_request');
      });
    }

    it('accept a list of 1,000 objects with three members each', async () => {
      const body = { a: Array.from({ length: 1_000 }, () => ({ a: 'x', b: false, c: null })) };
      expect(fields(await json(JSON.stringify(body)))).to.deep.equal(body);
    });

    it('are limited to 100 kB unless the endpoint allows more', async () => {
      const body = JSON.stringify({ a: 'x'.repeat(100_000) });
      expect(fields(await json(body))).to.equal('payload_too_large');
      limits = { maxBytes: 1_000_000 };
      expect(fields(await json(body))).to.deep.equal(JSON.parse(body));
    });

    it('refuse bytes that are not UTF-8', async () => {
      const bytes = Uint8Array.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]);
      expect(fields(await post('application/json', bytes))).to.equal('bad_request');
    });

    it('refuse more bytes than allowed, with or without a Content-Length', async () => {
      limits = { maxBytes: 100 };
      const body = JSON.stringify({ a: 'x'.repeat(200) });
      expect(fields(await json(body))).to.equal('payload_too_large');
      const chunked = new Blob([body]).stream();
      const headers = { 'content-type': 'application/json' };
      expect(fields(await send({ headers, body: chunked, duplex: 'half' }))).to.equal('payload_too_large');
      expect(fields(await json(JSON.stringify({ a: 'x'.repeat(92) })))).to.deep.equal({ a: 'x'.repeat(92) });
    });

    it('fail when the client disconnects', async () => {
      const outcome = new Promise<Outcome>((resolve) => outcomes.push(resolve));
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.write(
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
      );
      await once(server, 'request');
      socket.destroy();
      expect((await outcome).code).to.equal('bad_request');
    });
  });

  it('are read as UTF-8 whatever the charset, ignored for other types, and refused when compressed', async () => {
    expect(fields(await post('text/xml', '<a/>'))).to.deep.equal({});
    expect(fields(await post('text/plain', 'a=1'))).to.deep.equal({});
    expect(fields(await post('application/json; charset=utf-16', '{"a":"ü"}'))).to.deep.equal({ a: 'ü' });
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(fields(await send({ headers, body: '{}' }))).to.equal('unsupported_media_type');
  });

  describe('as urlencoded forms', () => {
    for (const [title, text, expected] of [
      ['plain names', 'a=1&b=x+y%26%C3%BC&c&d=&=', { a: '1', b: 'x y&ü', c: '', d: '', '': '' }],
      [
        'hashes',
        'source[privacy]=private&source[language]=',
        { source: { privacy: 'private', language: '' } },
      ],
      ['lists', 'media_ids[]=1&media_ids[]=2', { media_ids: ['1', '2'] }],
      ['percent-encoded brackets', 'media_ids%5B%5D=1', { media_ids: ['1'] }],
      [
        'a list in a hash',
        'poll[options][]=a&poll[options][]=b&poll[expires_in]=300',
        { poll: { options: ['a', 'b'], expires_in: '300' } },
      ],
      ['the last of a repeated name', 'id=1&id=2&id=3', { id: '3' }],
      ['the last text after a list', 'id[]=1&id=2', { id: '2' }],
      [
        'numbered hashes, in order of appearance',
        'f[420][name]=a&f[69][name]=b&f[420][value]=x&f[-99999999999999999999][name]=c',
        { f: [{ name: 'a', value: 'x' }, { name: 'b' }, { name: 'c' }] },
      ],
      ['numbered texts', 'media_ids[0]=1&media_ids[1]=2', { media_ids: ['1', '2'] }],
      [
        'lists of hashes, where a repeated name starts the next',
        'k[][keyword]=foo&k[][whole_word]=false&k[][keyword]=bar&k[][id]=3',
        {
          k: [
            { keyword: 'foo', whole_word: 'false' },
            { keyword: 'bar', id: '3' },
          ],
        },
      ],
      [
        'a list in a list of hashes',
        'k[][a]=1&k[][b][]=x&k[][b][]=y&k[][a]=2',
        { k: [{ a: '1', b: ['x', 'y'] }, { a: '2' }] },
      ],
      [
        'names of JavaScript objects',
        'toString=1&a[hasOwnProperty]=2',
        { toString: '1', a: { hasOwnProperty: '2' } },
      ],
      ['stray brackets unchanged', 'a[=1&b]=2&[]=3', { 'a[': '1', 'b]': '2', '[]': '3' }],
    ] as const) {
      it(`read ${title}`, async () => {
        expect(fields(await form(text))).to.deep.equal(expected);
        expect(parseQuery(`?${text}`)).to.deep.equal(expected);
      });
    }

    for (const [title, text] of [
      ['__proto__', '__proto__[admin]=true'],
      ['a nested __proto__', 'a[__proto__][admin]=true'],
      ['__proto__ in a list', 'a[][__proto__]=true'],
      ['constructor', 'a[constructor][prototype][admin]=1'],
      ['NUL', 'a=x%00y'],
      ['invalid UTF-8', 'a=%ff'],
      ['an incomplete escape', 'a=%'],
      ['more than 1000 parameters', 'a[]=1&'.repeat(1001)],
      ['more than 2,000 empty parameters', '&'.repeat(2_001)],
      ['a long name', `${'a'.repeat(1_001)}=1`],
      ['more than five levels', 'a[b][c][d][e][f][g]=1'],
      ['a name that is both a text and a hash', 'a=1&a[b]=2'],
      ['a name that is both a list and a hash', 'a[]=1&a[b]=2'],
      ['lists of lists', 'a[][]=1'],
    ] as const) {
      it(`refuse ${title}`, async () => {
        expect(fields(await form(text))).to.equal('bad_request');
        expect(() => parseQuery(text))
          .to.throw()
          .with.property('code', 'bad_request');
        expect(({} as Record<string, unknown>)['admin']).to.equal(undefined);
      });
    }

    it('read a plus as a space, and an encoded plus as a plus', async () => {
      expect(fields(await form('a+b=c+d%2Be'))).to.deep.equal({ 'a b': 'c d+e' });
    });

    it('accept 1,000 parameters', () => {
      expect(parseQuery('a[]=1&'.repeat(1000))['a']).to.have.length(1000);
    });

    it('read a query string with unencoded bytes', () => {
      expect(parseQuery(Buffer.from('?q=ü', 'utf8').toString('latin1'))).to.deep.equal({ q: 'ü' });
      expect(parseQuery('')).to.deep.equal({});
    });
  });

  describe('as multipart forms', () => {
    let directory: string;
    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'rookery-bodies-'));
    });
    afterEach(() => rm(directory, { recursive: true }));

    const upload = (entries: [string, string | File][]): Promise<Outcome> => {
      const data = new FormData();
      for (const [name, value] of entries) data.append(name, value);
      return send({ body: data });
    };
    const raw = (lines: (string | Uint8Array)[]): Promise<Outcome> =>
      post(
        'multipart/form-data; boundary=b',
        new Uint8Array(
          Buffer.concat(
            lines.map((line) => Buffer.concat([Buffer.from(line as string), Buffer.from('\r\n')])),
          ),
        ),
      );

    it('have the same field names as urlencoded forms', async () => {
      const outcome = await upload([
        ['display_name', 'Ä 🦜'],
        ['fields_attributes[0][name]', 'a'],
        ['media_ids[]', '1'],
        ['media_ids[]', '2'],
      ]);
      expect(fields(outcome)).to.deep.equal({
        display_name: 'Ä 🦜',
        fields_attributes: [{ name: 'a' }],
        media_ids: ['1', '2'],
      });
    });

    it('write files to disk, and keep the name and type that the client sent', async () => {
      limits = { files: { maxBytes: 100_000, directory } };
      const content = 'x'.repeat(100_000);
      const { parsed } = await upload([
        ['file', new File([content], 'Bild ä.png', { type: 'image/png' })],
        ['description', 'A bird'],
      ]);
      const file = parsed?.files['file'];
      expect(file).to.include({ filename: 'Bild ä.png', mimeType: 'image/png', size: 100_000 });
      expect(await readFile(file?.path ?? '', 'utf8')).to.equal(content);
      expect(parsed?.fields).to.deep.equal({ description: 'A bird' });
    });

    it('refuse a file above the limit, and leave nothing behind', async () => {
      limits = { files: { maxBytes: 1000, directory } };
      const outcome = await upload([['file', new File(['x'.repeat(300_000)], 'a.png')]]);
      expect(outcome.code).to.equal('payload_too_large');
      expect(await readdir(directory)).to.deep.equal([]);
    });

    it('refuse more files than allowed, two with the same name, and any where none are expected', async () => {
      limits = { files: { maxBytes: 1000, directory } };
      const [a, b] = [new File(['1'], 'a'), new File(['2'], 'b')];
      expect(
        (
          await upload([
            ['avatar', a],
            ['header', b],
          ])
        ).code,
      ).to.equal('bad_request');
      limits = { files: { maxBytes: 1000, maxCount: 2, directory } };
      expect(
        (
          await upload([
            ['avatar', a],
            ['avatar', b],
          ])
        ).code,
      ).to.equal('bad_request');
      expect(await readdir(directory)).to.deep.equal([]);
      expect(
        Object.keys(
          (
            await upload([
              ['avatar', a],
              ['header', b],
            ])
          ).parsed?.files ?? {},
        ),
      ).to.have.length(2);
      limits = {};
      expect((await upload([['avatar', a]])).code).to.equal('bad_request');
    });

    it('number files of one name, cut and drop files of pages, and keep the fields', async () => {
      limits = { files: { maxBytes: 10, maxCount: 2, directory, lenient: true } };
      const { parsed } = await upload([
        ['media[]', new File(['x'.repeat(300_000)], 'a')],
        ['media[]', new File(['2'], 'b')],
        ['media[]', new File(['3'], 'c')],
        ['text', 'kept'],
      ]);
      expect(parsed?.fields).to.deep.equal({ text: 'kept' });
      const sizes = Object.entries(parsed?.files ?? {}).map(([name, { filename, size }]) => [
        name,
        filename,
        size,
      ]);
      expect(sizes).to.deep.equal([
        ['media[0]', 'a', 11],
        ['media[1]', 'b', 1],
      ]);
    });

    it('store no file of a stranger, and keep the fields', async () => {
      limits = { files: { maxBytes: 1000, maxCount: 2, directory, dropped: true } };
      const { parsed } = await upload([
        ['media[]', new File(['1'], 'a')],
        ['media[]', new File(['x'.repeat(300_000)], 'b')],
        ['text', 'kept'],
      ]);
      expect(parsed).to.deep.equal({ fields: { text: 'kept' }, files: {} });
      expect(await readdir(directory)).to.deep.equal([]);
    });

    it('ignore the empty file that a browser sends when no file was chosen', async () => {
      limits = { files: { maxBytes: 1000, directory } };
      const { parsed } = await upload([
        ['file', new File([], '')],
        ['a', '1'],
      ]);
      expect(parsed).to.deep.equal({ fields: { a: '1' }, files: {} });
      expect(await readdir(directory)).to.deep.equal([]);
    });

    it('refuse more than 1,000 parts without a name', async () => {
      const nameless = ['--b', 'X: y', '', ''];
      const parts = (count: number): string[] => Array.from({ length: count }, () => nameless).flat();
      expect((await raw([...parts(1_100), '--b--', ''])).code).to.equal('bad_request');
      expect(fields(await raw([...parts(900), '--b--', '']))).to.deep.equal({});
    });

    it('refuse too many or too long fields', async () => {
      expect((await upload(Array.from({ length: 1001 }, () => ['a[]', '1']))).code).to.equal('bad_request');
      limits = { maxBytes: 100 };
      expect((await upload([['a', 'x'.repeat(101)]])).code).to.equal('payload_too_large');
      expect(
        (
          await upload([
            ['a', 'x'.repeat(60)],
            ['b', 'x'.repeat(60)],
          ])
        ).code,
      ).to.equal('payload_too_large');
    });

    it('refuse too many bytes outside of parts', async () => {
      limits = { maxBytes: 100 };
      const part = ['--b', 'Content-Disposition: form-data; name="a"', '', '1', '--b--'];
      expect(fields(await raw(['x'.repeat(10_000), ...part]))).to.deep.equal({ a: '1' });
      expect((await raw(['x'.repeat(300_000), ...part])).code).to.equal('payload_too_large');
    });

    it('refuse malformed forms', async () => {
      const part = ['--b', 'Content-Disposition: form-data; name="a"', ''];
      expect(fields(await raw([...part, '1', '--b--']))).to.deep.equal({ a: '1' });
      expect(fields(await raw([...part, '1']))).to.equal('bad_request');
      expect(fields(await raw([...part, Uint8Array.of(0xff), '--b--']))).to.equal('bad_request');
      expect(fields(await raw([...part, 'x\0', '--b--']))).to.equal('bad_request');
      expect(fields(await raw(['--b', 'Content-Disposition: form-data', '', '1', '--b--']))).to.equal(
        'bad_request',
      );
      expect(fields(await raw(['nothing of the kind']))).to.equal('bad_request');
      expect(fields(await post('multipart/form-data', 'x'))).to.equal('bad_request');
      expect(fields(await upload([['__proto__[a]', '1']]))).to.equal('bad_request');
    });

    it('leave nothing behind when the client disconnects', async () => {
      limits = { files: { maxBytes: 1000, directory } };
      const outcome = new Promise<Outcome>((resolve) => outcomes.push(resolve));
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.write(
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900\r\n\r\n',
      );
      socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nxxx');
      await eventually(async () => expect(await readdir(directory)).to.have.length(1));
      socket.destroy();
      expect((await outcome).code).to.equal('bad_request');
      expect(await readdir(directory)).to.deep.equal([]);
    });
  });
});
