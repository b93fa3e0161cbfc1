import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { errorHandler, failer, hardenServer, notFoundHandler } from '#interfaces/http/fallbacks.ts';
import { RookeryError } from '#kernel/errors.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { freePort } from '../support/free-port.ts';
import { serve, type Served } from '../support/serve.ts';

describe('A request that no endpoint answers', () => {
  let served: Served;
  let reported: unknown[];

  let away: Database;
  let nowhere: string;

  before(async () => {
    const port = await freePort();
    nowhere = `http://127.0.0.1:${port}`;
    away = openDatabase({ url: `postgresql://127.0.0.1:${port}/none`, max: 1, applicationName: 'test' });
    served = await serve((app) => {
      app.get('/known/:id', (req, res) => void res.json({ id: req.params.id }));
      app.get('/broken', () => {
        throw new Error('secret details');
      });
      app.get('/refused', () => Promise.reject(new RookeryError('forbidden', 'Not you')));
      app.get('/large', () => Promise.reject(Object.assign(new Error('internals'), { status: 413 })));
      app.get('/half', (_req, res) => {
        res.write('half');
        throw new Error('in the middle');
      });
      app.get('/database', () => away.query('select 1'));
      app.get('/transaction', () => away.transaction((db) => db.query('select 1')));
      app.get('/elsewhere', () => fetch(nowhere));
      app.get('/begun', (_req, res) => void res.write('half'));
      app.use(notFoundHandler);
      app.use(errorHandler(failer((error) => reported.push(error))));
    });
    hardenServer(served.server);
  });

  beforeEach(() => (reported = []));
  after(() => Promise.all([served.close(), away.close()]));

  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(served.origin + path, { method });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) };
  };

  /** Sends bytes that no HTTP client would send, and returns the reply. */
  const say = async (bytes: string) => {
    const socket = connect(served.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(Buffer.from(bytes, 'latin1'));
    await once(socket, 'close');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    return { status: Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]), head, body: JSON.parse(body) as unknown };
  };

  it('is answered with 404 in JSON that web clients can read', async () => {
    const { status, body, headers } = await ask('/api/v1/nothing');
    expect({ status, body }).to.deep.equal({ status: 404, body: { error: 'Not Found' } });
    expect(headers.get('content-type')).to.match(/^application\/json/);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
  });

  it('is answered with 404 when the path does not have the method', async () => {
    expect((await ask('/known/1', 'DELETE')).status).to.equal(404);
    expect((await ask('/known/1', 'PROPFIND')).status).to.equal(404);
  });

  for (const path of ['/known/%', '/known/%zz', '/known/%c0%af', '/nothing/%ff']) {
    it(`is a bad request when the URL is malformed: ${path}`, async () => {
      const { status, body } = await ask(path);
      expect({ status, body }).to.deep.equal({ status: 400, body: { error: 'The URL is malformed' } });
      expect(reported).to.deep.equal([]);
    });
  }

  const unreadable = {
    'a non-ASCII byte in the path': ['GET /caf\xe9 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'The URL is malformed'],
    'bytes that are not HTTP': ['Good evening\r\n\r\n', 400, 'Bad Request'],
    'endless headers': [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, 431, 'The headers are too large'],
  } as const;
  for (const [what, [bytes, status, error]] of Object.entries(unreadable)) {
    it(`is refused in JSON even when Node cannot parse it: ${what}`, async () => {
      const answer = await say(bytes);
      expect(answer).to.deep.include({ status, body: { error } });
      expect(answer.head)
        .to.match(/^content-type: application\/json/im)
        .and.match(/^connection: close/im);
      expect(answer.head).to.match(/^access-control-allow-origin: \*/im);
    });
  }

  /** Sends bytes and 100 kB more after the reply ended. Resolves with the error that the client met. */
  async function sendOn(bytes: string): Promise<{ text: string; error: Error | undefined }> {
    const socket = connect({ port: served.port, host: '127.0.0.1', allowHalfOpen: true });
    let [text, error]: [string, Error | undefined] = ['', undefined];
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', (failure) => (error = failure));
    socket.write(Buffer.from(bytes, 'latin1'));
    await once(socket, 'end');
    for (let sent = 0; sent < 10 && !socket.destroyed; sent += 1) {
      await new Promise((resolve) => socket.write(Buffer.alloc(10_000, 'x'), resolve));
    }
    socket.end();
    if (!socket.closed) await once(socket, 'close');
    return { text, error };
  }

  for (const [what, [bytes, status]] of Object.entries(unreadable)) {
    it(`resets no connection on which the client still sends: ${what}`, async () => {
      const { text, error } = await sendOn(bytes);
      expect(text).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(error).to.equal(undefined);
    });
  }

  it('is refused once, and its connection ends although the client sends on', async () => {
    const socket = connect({ port: served.port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8');
    let text = '';
    socket.on('error', () => undefined).on('data', (chunk: string) => (text += chunk));
    const sending = setInterval(() => socket.write('Good evening\r\n\r\n'), 20);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(sending);
    expect(text.match(/HTTP\/1\.1 400/g)).to.have.length(1);
  });

  it('is cut off when unreadable bytes follow a started reply', async () => {
    const socket = connect(served.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (chunk: string) => {
      if (text === '') socket.write('Good evening\r\n\r\n');
      text += chunk;
    });
    socket.write('GET /begun HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'close');
    expect(text).to.include('half').and.not.include('Bad Request');
  });

  it('is answered to a preflight of web clients', async () => {
    const { status, body, headers } = await ask('/api/v9/nothing', 'OPTIONS');
    expect({ status, body }).to.deep.equal({ status: 204, body: '' });
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(headers.get('access-control-allow-headers')).to.include('Authorization');
  });

  it('is answered with 500 when a handler throws, without the cause', async () => {
    const { status, body } = await ask('/broken');
    expect({ status, body }).to.deep.equal({ status: 500, body: { error: 'An unexpected error occurred' } });
    expect(reported.map(String)).to.deep.equal(['Error: secret details']);
  });

  it('is answered with 503 and Retry-After while the database is unavailable', async () => {
    for (const path of ['/database', '/transaction']) {
      const { status, headers, body } = await ask(path);
      expect(status).to.equal(503);
      expect(headers.get('retry-after')).to.equal('5');
      expect(body).to.deep.equal({ error: 'The database cannot be reached' });
    }
    expect(reported).to.have.length(2);
    // Another unreachable service does not give 503.
    expect((await ask('/elsewhere')).status).to.equal(500);
  });

  it('keeps the status of client errors', async () => {
    expect(await ask('/refused')).to.deep.include({ status: 403, body: { error: 'Not you' } });
    expect(await ask('/large')).to.deep.include({ status: 413, body: { error: 'The request is too large' } });
    expect(reported).to.deep.equal([]);
  });

  it('is cut off when the handler fails in the middle of its reply', async () => {
    const outcome = await fetch(`${served.origin}/half`)
      .then((response) => response.text())
      .catch(() => 'cut off');
    expect(outcome).to.equal('cut off');
    expect(reported).to.have.length(1);
  });

  it('leaves the connection open for longer than proxies do', async () => {
    expect((await ask('/known/1')).headers.get('keep-alive')).to.equal('timeout=65');
  });
});
