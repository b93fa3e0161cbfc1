import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import { z } from 'zod';
import { errorHandler, failer, notFoundHandler } from '#interfaces/http/fallbacks.ts';
import { type HttpServer, listen } from '#interfaces/http/listen.ts';
import { mount, type MountDependencies } from '#interfaces/http/mount.ts';
import type { Instance } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { RookeryError } from '#kernel/errors.ts';
import { NEVER_WAITS } from '#kernel/own-writes.ts';
import type { Services } from '#kernel/services.ts';

const reply = z.any();
const thing = endpoint({
  method: 'GET',
  path: '/api/v1/things/:id',
  summary: 'A thing',
  auth: 'optional',
  scopes: [],
  params: z.object({ id: z.string().regex(/^\d+$/) }),
  query: z.object({ q: z.string().optional() }),
  reply,
  handler: (ctx, { params, query }) =>
    Promise.resolve({
      json: { ...params, ...query, ip: ctx.ip, token: ctx.token?.id },
      page: { next: { max_id: '6' } },
      headers: { 'X-Thing': 'yes' },
    }),
});
const makeThing = endpoint({
  method: 'POST',
  path: '/api/v1/things',
  summary: 'Make a thing',
  auth: 'app',
  scopes: [],
  body: z.object({ name: z.string().max(3) }),
  reply,
  handler: (_ctx, { body }) => Promise.resolve({ json: body }),
});
const countedThing = endpoint({
  ...makeThing,
  requires: [],
  path: '/api/v1/counted-things',
  limit: 'follows',
  countsWhen: () => Promise.resolve(true),
});
const makeLongThing = endpoint({
  ...makeThing,
  requires: [],
  path: '/api/v1/long-things',
  body: z.object({ name: z.string() }),
  longTexts: true,
  handler: () => Promise.resolve({ json: {} }),
});
const changing = (method: 'PUT' | 'PATCH', path: string, by: string) =>
  endpoint({
    method,
    path,
    summary: 'Change a thing',
    auth: 'app',
    scopes: [],
    reply,
    body: z.object({ name: z.string().max(3) }),
    handler: (_ctx, { body }) => Promise.resolve({ json: { ...body, by } }),
  });
const changes = [
  changing('PUT', '/api/v1/things/:id', 'put'),
  changing('PATCH', '/api/v1/things', 'patch'),
  changing('PUT', '/api/v1/both', 'put'),
  changing('PATCH', '/api/v1/both', 'patch'),
];
const broken = endpoint({
  method: 'GET',
  path: '/api/v1/broken',
  summary: 'Broken',
  auth: 'public',
  scopes: [],
  reply,
  handler: () => Promise.reject(new Error('secret details')),
});

describe('Serving endpoints', () => {
  let server: HttpServer;
  let passedToExpress = 0;
  let failures: unknown[];
  let observed: Parameters<MountDependencies['observe']>[0][];
  let remembered: unknown[][];
  let counted: unknown[];
  let onObserve = (): void => undefined;
  let uploads: string;
  let hold: Promise<unknown> | undefined;
  const signals: AbortSignal[] = [];
  let onHold = (): void => undefined;
  let isOverLimit = false;
  let restOfKind = 399;

  const slow = endpoint({
    method: 'GET',
    path: '/api/v1/slow',
    summary: 'Slow',
    auth: 'public',
    scopes: [],
    reply,
    query: z.object({ 'at-once': z.string().optional() }),
    handler: async ({ signal }, { query }) => {
      signals.push(signal);
      onHold();
      if (query['at-once'] === undefined) await hold;
      return { json: {} };
    },
  });

  before(async () => {
    uploads = await mkdtemp(join(tmpdir(), 'rookery-mount-'));
    const upload = endpoint({
      method: 'POST',
      path: '/api/v1/uploads',
      summary: 'Upload',
      auth: 'app',
      scopes: [],
      reply,
      query: z.object({ n: z.coerce.number().optional() }),
      body: z.object({ name: z.string().max(3).optional() }),
      files: { maxBytes: 1_000, maxCount: 1, fields: { file: { description: 'A file.' } } },
      handler: async (_ctx, { query: { n } }) => {
        if (n === 503) throw new RookeryError('unavailable', 'Busy');
        return { json: await readdir(uploads) };
      },
    });
    const app = express();
    app.disable('x-powered-by');
    app.use((_req, _res, next) => {
      passedToExpress += 1;
      next();
    });
    const fail = failer((error) => failures.push(error));
    const listener = mount(
      app,
      [thing, makeThing, countedThing, makeLongThing, ...changes, broken, slow, upload],
      {
        db: {
          query: <Row>(_statement: unknown, values: readonly unknown[] = []) => {
            remembered.push([...values]);
            return Promise.resolve([
              { command_id: 'c', first_id: '1', now: '2026-01-01T00:00:00.000Z' } as Row,
            ]);
          },
        },
        instance: { origin: 'https://rookery.example' } as Instance,
        services: {} as Services,
        newId: () => '1',
        execute: () => Promise.reject(new Error('Nothing is appended here')),
        consistency: NEVER_WAITS,
        wasRevoked: () => Promise.resolve(false),
        authenticate: (bearer) =>
          Promise.resolve(
            bearer === 'good'
              ? { token: { id: 't', application_id: 'a', scopes: [] }, viewer: undefined }
              : undefined,
          ),
        holds: () => true,
        limit: (kind, client) => {
          counted.push({ kind, ...client });
          if (isOverLimit) return Promise.reject(new RookeryError('too_many_requests', 'Too many requests'));
          return Promise.resolve({ 'X-RateLimit-Limit': '300', 'X-RateLimit-Remaining': '299' });
        },
        kindLimit: {
          count: (kind, client) => {
            counted.push({ kind, ...client });
            return Promise.resolve({
              'X-RateLimit-Limit': '400',
              'X-RateLimit-Remaining': String(restOfKind),
            });
          },
          release: (kind, client) => {
            counted.push({ kind: `${kind} given back`, ...client });
            return Promise.resolve();
          },
        },
        mediaLimit: {
          count: (client) => {
            counted.push({ kind: 'media', ...client });
            return Promise.resolve();
          },
          release: (client) => {
            counted.push({ kind: 'media given back', ...client });
            return Promise.resolve();
          },
        },
        clientAddress: () => '192.0.2.1',
        seen: () => undefined,
        observe: (each) => {
          observed.push(each);
          onObserve();
        },
        fail,
      },
    );
    app.use(notFoundHandler);
    app.use(errorHandler(fail));
    server = await listen(listener, { bind: '127.0.0.1', port: 0 });
  });

  beforeEach(() => {
    [passedToExpress, failures, observed, remembered, counted] = [0, [], [], [], []];
    onObserve = () => undefined;
  });
  after(async () => {
    await server.close();
    await rm(uploads, { recursive: true });
  });

  /** Sends a request with `node:http`, which does not normalise the path. */
  async function ask(method: string, path: string, { headers = {}, body = '' } = {}) {
    const { hostname, port } = new URL(server.url);
    const sent = request({ hostname, port, method, path, headers: { ...headers }, agent: false }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
    const { date, 'x-request-id': requestId, link, ...others } = response.headers;
    expect(date).to.be.a('string');
    return { status: response.statusCode, headers: others, link, requestId, text };
  }

  const json = { 'content-type': 'application/json', authorization: 'Bearer good' };

  const cases: [
    what: string,
    method: string,
    plain: string,
    options?: { headers?: object; body?: string },
  ][] = [
    ['reading', 'GET', '/api/v1/things/7?q=x'],
    ['a token', 'GET', '/api/v1/things/7', { headers: { authorization: 'Bearer good' } }],
    ['a token in the query', 'GET', '/api/v1/things/7?access_token=good'],
    ['a wrong token', 'GET', '/api/v1/things/7', { headers: { authorization: 'Bearer bad' } }],
    ['HEAD', 'HEAD', '/api/v1/things/7?q=x'],
    ['an invalid id', 'GET', '/api/v1/things/seven'],
    ['writing', 'POST', '/api/v1/things', { headers: json, body: '{"name":"a"}' }],
    ['the body in the query', 'POST', '/api/v1/things?name=b', { headers: json }],
    ['changing', 'PUT', '/api/v1/things/7', { headers: json, body: '{"name":"a"}' }],
    ['changing by PATCH', 'PATCH', '/api/v1/things/7', { headers: json, body: '{"name":"a"}' }],
    [
      'a body that does not fit the schema',
      'POST',
      '/api/v1/things',
      { headers: json, body: '{"name":"long"}' },
    ],
    ['a body that is not JSON', 'POST', '/api/v1/things', { headers: json, body: '{' }],
    ['no token', 'POST', '/api/v1/things', { body: '' }],
    ['a handler that fails', 'GET', '/api/v1/broken'],
  ];
  const forms: [form: string, of: (path: string) => string][] = [
    ['a slash at the end', (path) => path.replace(/(\?|$)/, '/$1')],
    ['other letter case', (path) => path.replace('/api/', '/API/')],
    ['a whole URL', (path) => `http://rookery.example${path}`],
    ['a fragment', (path) => path.replace(/(?=\?|$)/, '#part')],
  ];

  for (const [what, method, plain, options] of cases) {
    it(`is the same for every form of a path: ${what}`, async () => {
      const direct = await ask(method, plain, options);
      for (const [form, of] of forms) {
        const { requestId, link, ...answer } = await ask(method, of(plain), options);
        expect(answer, form).to.deep.equal({
          status: direct.status,
          headers: direct.headers,
          text: direct.text,
        });
        expect(link === undefined, form).to.equal(direct.link === undefined);
        expect(requestId, form).to.not.equal(direct.requestId);
      }
      expect(passedToExpress).to.equal(0);
      expect(observed.map(({ status }) => status)).to.deep.equal(
        Array.from({ length: forms.length + 1 }, () => direct.status),
      );
      expect(failures).to.deep.equal([]);
    });
  }

  it('accepts PUT and PATCH alike, as Mastodon does, unless an endpoint declares the other method', async () => {
    const by = async (method: string, path: string): Promise<unknown> => {
      const { status, text } = await ask(method, path, { headers: json, body: '{"name":"a"}' });
      expect(status, `${method} ${path}`).to.equal(200);
      return (JSON.parse(text) as { by: string }).by;
    };
    for (const method of ['PUT', 'PATCH']) {
      expect(await by(method, '/api/v1/things/7')).to.equal('put');
      expect(await by(method, '/api/v1/things')).to.equal('patch');
      expect(await by(method, '/api/v1/both')).to.equal(method.toLowerCase());
    }
    expect((await ask('PATCH', '/api/v1/things/7')).status).to.equal(401);
    expect((await ask('PUT', '/api/v1/broken', { headers: json })).status).to.equal(404);
  });

  it('heeds the method that a header or a form of a POST names', async () => {
    const form = { ...json, 'content-type': 'application/x-www-form-urlencoded' };
    const by = async (path: string, headers: object, body: string): Promise<unknown> => {
      const { status, text } = await ask('POST', path, { headers, body });
      return status === 200 ? (JSON.parse(text) as { by?: string }).by : status;
    };
    const patch = { 'x-http-method-override': 'patch' };
    expect(await by('/api/v1/both', { ...json, ...patch }, '{"name":"a"}')).to.equal('patch');
    expect(await by('/API/v1/both', { ...json, ...patch }, '{"name":"a"}')).to.equal('patch');
    expect(await by('/api/v1/both', form, '_method=put&name=a')).to.equal('put');
    expect(await by('/api/v1/things/7', form, '_method=PUT&name=a')).to.equal('put');
    expect(await by('/api/v1/things', form, '_method=patch&name=a')).to.equal('patch');
    expect(counted, 'an endpoint that was assumed counts as well').to.have.length(6);
    expect(await by('/api/v1/things', form, 'name=a')).to.equal(undefined);
    expect(await by('/api/v1/things/7', form, 'name=a')).to.equal(404);
    expect(await by('/api/v1/both', form, '_method=trace&name=a')).to.equal(404);
    const stranger = { 'content-type': form['content-type'] };
    expect(await by('/api/v1/both', stranger, '_method=put&name=a')).to.equal(401);
    const read = await ask('GET', '/api/v1/things/7', {
      headers: { ...patch, authorization: 'Bearer good' },
    });
    expect(read.status, 'only a POST may stand for another method').to.equal(200);
  });

  it("returns the endpoint's reply with the headers of every reply", async () => {
    const answer = await ask('GET', '/api/v1/things/7?q=x&access_token=good');
    expect(answer.status).to.equal(200);
    expect(JSON.parse(answer.text)).to.deep.equal({ id: '7', q: 'x', ip: '192.0.2.1', token: 't' });
    expect(answer.link).to.equal('<https://rookery.example/api/v1/things/7?max_id=6&q=x>; rel="next"');
    expect(answer.headers).to.include({ 'x-thing': 'yes', 'x-ratelimit-limit': '300' });
    expect(answer.requestId).to.equal(observed[0]?.id);
  });

  it('reports the limit that is closer to its end', async () => {
    const headers = { ...json, authorization: 'Bearer good' };
    const limitAt = async (rest: number): Promise<unknown> => {
      restOfKind = rest;
      const answer = await ask('POST', '/api/v1/counted-things', { headers, body: '{"name":"a"}' });
      expect(answer.status).to.equal(200);
      return answer.headers['x-ratelimit-limit'];
    };
    expect(await limitAt(399)).to.equal('300');
    expect(await limitAt(298)).to.equal('400');
  });

  it('counts every request once, by its token, or by its address when the token is invalid or absent', async () => {
    await ask('GET', '/api/v1/things/7', { headers: { authorization: 'Bearer good' } });
    const wrong = await ask('GET', '/api/v1/things/7', { headers: { authorization: 'Bearer bad' } });
    expect(wrong.status).to.equal(200);
    expect(wrong.headers).to.include({ 'x-ratelimit-limit': '300' });
    expect((await ask('POST', '/api/v1/things')).status).to.equal(401);
    const each = { kind: 'default', ip: '192.0.2.1', accountId: undefined, tokenId: undefined };
    expect(counted).to.deep.equal([{ ...each, tokenId: 't' }, each, each]);
  });

  it('decodes escapes in parameters', async () => {
    const answer = await ask('GET', '/api/v1/things/%37?q=%78');
    expect(JSON.parse(answer.text)).to.include({ id: '7', q: 'x' });
  });

  it('treats repeated slashes in a path as one', async () => {
    const answer = await ask('GET', '//api///v1/things/7?q=//x');
    expect(JSON.parse(answer.text)).to.include({ id: '7', q: '//x' });
  });

  it('answers HEAD with the headers only', async () => {
    const [got, head] = [await ask('GET', '/api/v1/things/7'), await ask('HEAD', '/api/v1/things/7')];
    expect(head.text).to.equal('');
    expect(head.headers).to.deep.equal(got.headers);
  });

  it('passes everything that is no endpoint to Express', async () => {
    expect((await ask('GET', '/api/v1/nothing')).status).to.equal(404);
    expect((await ask('DELETE', '/api/v1/things/7')).status).to.equal(404);
    expect((await ask('GET', '/api/v1/things/%')).status).to.equal(400);
    expect((await ask('OPTIONS', '/api/v1/things/7')).status).to.equal(204);
    expect(passedToExpress).to.equal(3);
  });

  it('allows web clients to send any headers', async () => {
    const allowed = async (asked: string): Promise<unknown> => {
      const { headers } = await ask('OPTIONS', '/api/v1/things/7', {
        headers: { 'access-control-request-headers': asked },
      });
      return headers['access-control-allow-headers'];
    };
    const names = 'authorization,x-app-version, cache-control';
    expect(await allowed(names)).to.equal(names);
    for (const odd of ['', '*', 'a;b', 'a b', `${'a,'.repeat(60)}a`])
      expect(await allowed(odd), odd).to.include('Authorization');
  });

  it('includes the query in the request that an Idempotency-Key identifies', async () => {
    const headers = { ...json, 'idempotency-key': 'k' };
    for (const query of ['?a=1', '?a=1', '?a=2']) {
      await ask('POST', `/api/v1/things${query}`, { headers, body: '{"name":"a"}' });
    }
    const [first, again, other] = remembered.map(([, digest]) => (digest as Buffer).toString('hex'));
    expect(again).to.equal(first);
    expect(other).to.not.equal(first);
  });

  it('accepts bodies of 100 kB, and of 1 MB for endpoints with long texts', async () => {
    const status = async (path: string, bytes: number) =>
      (await ask('POST', path, { headers: json, body: `{"name":"${'x'.repeat(bytes - 11)}"}` })).status;
    expect(await status('/api/v1/things', 100_000)).to.equal(422);
    expect(await status('/api/v1/things', 100_001)).to.equal(413);
    expect(await status('/api/v1/long-things', 1_000_000)).to.equal(200);
    expect(await status('/api/v1/long-things', 1_000_001)).to.equal(413);
  });

  it('deletes the files of a request, whether it was served or refused', async () => {
    const { TMPDIR } = process.env;
    process.env['TMPDIR'] = uploads;
    const send = async (query: string, name: string, headers: Record<string, string> = {}) => {
      const form = new FormData();
      form.append('name', name);
      form.append('file', new Blob(['a picture']), 'picture.png');
      const url = `${server.url}/api/v1/uploads${query}`;
      const answer = await fetch(url, {
        method: 'POST',
        body: form,
        headers: { authorization: 'Bearer good', ...headers },
      });
      return { status: answer.status, body: await answer.json() };
    };
    const { status, body } = await send('', 'ok');
    expect(status).to.equal(200);
    expect(body).to.have.length(1);
    expect((await send('', 'too long')).status).to.equal(422);
    expect((await send('?n=many', 'ok')).status).to.equal(422);
    expect((await send('', 'ok', { 'idempotency-key': 'k'.repeat(300) })).status).to.equal(400);
    expect(await readdir(uploads)).to.deep.equal([]);
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  });

  it('counts an upload as media, and does not count it when the server is busy', async () => {
    const send = async (query: string, file: boolean): Promise<unknown[]> => {
      counted = [];
      const form = new FormData();
      form.append('name', 'ok');
      if (file) form.append('file', new Blob(['a picture']), 'picture.png');
      const headers = { authorization: 'Bearer good' };
      await fetch(`${server.url}/api/v1/uploads${query}`, { method: 'POST', body: form, headers });
      return counted.map((each) => (each as { kind: string }).kind);
    };
    expect(await send('', false)).to.deep.equal(['default']);
    expect(await send('', true)).to.deep.equal(['default', 'media']);
    expect(await send('?n=503', true)).to.deep.equal(['default', 'media', 'media given back']);
    expect(await send('?n=503', false)).to.deep.equal(['default']);
  });

  it('refuses an anonymous caller over the limit without waiting for a body', async () => {
    isOverLimit = true;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write('POST /api/v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 50\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    isOverLimit = false;
    expect(String(answer)).to.match(/^HTTP\/1\.1 429 /);
  });

  it('aborts the signal when the client disconnects, but not after a reply', async () => {
    const held = Promise.withResolvers<unknown>();
    hold = held.promise;
    onHold = () => undefined;
    const answered = (await ask('GET', '/api/v1/slow?at-once=1')).status;
    expect(answered).to.equal(200);
    expect(signals.at(-1)?.aborted).to.equal(false);
    const asked = new Promise<void>((resolve) => (onHold = resolve));
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /api/v1/slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await asked;
    const gone = once(signals.at(-1) as AbortSignal, 'abort');
    socket.destroy();
    await gone;
    held.resolve(undefined);
  });

  it('continues when the client has disconnected', async () => {
    const held = Promise.withResolvers<unknown>();
    const asked = new Promise<void>((resolve) => (onHold = resolve));
    hold = held.promise;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /api/v1/slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await asked;
    socket.destroy();
    await once(socket, 'close');
    const done = Promise.withResolvers<unknown>();
    onObserve = () => done.resolve(undefined);
    held.resolve(undefined);
    await done.promise;
    expect(failures).to.deep.equal([]);
    expect((await ask('GET', '/api/v1/things/7')).status).to.equal(200);
  });

  it('reports failures outside of the handler, and serves the next request', async () => {
    onObserve = () => {
      throw new Error('cannot count');
    };
    await ask('GET', '/api/v1/things/7').catch(() => undefined);
    onObserve = () => undefined;
    expect(failures.map(String)).to.deep.equal(['Error: cannot count']);
    expect((await ask('GET', '/api/v1/things/7')).status).to.equal(200);
  });
});
