import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { Agent, request, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import express from 'express';
import { parseBody } from '#interfaces/http/bodies.ts';
import { notFoundHandler } from '#interfaces/http/fallbacks.ts';
import { type HttpServer, listen } from '#interfaces/http/listen.ts';
import { sendFailure } from '#interfaces/http/reply.ts';
import { RookeryError } from '#kernel/errors.ts';

const run = promisify(execFile);

/** More than the buffers of the system hold. */
const HUGE = 200_000_000;
/** The most that the buffers of the system take beside the server. */
const BUFFERED = 20_000_000;

/** The ways of a reply that does not wait for its body. */
const REFUSALS = [
  { path: '/nothing', status: 404, method: 'POST' },
  { path: '/limited', status: 413, method: 'POST' },
  { path: '/form', status: 400, method: 'POST' },
  { path: '/moved', status: 302, method: 'POST' },
  { path: '/unread', status: 200, method: 'PUT' },
  { path: '/unread', status: 200, method: 'GET' },
] as const;

describe('The body of a request that is answered before it is read', () => {
  let server: HttpServer;
  let port: number;
  let folder: string;
  let sockets: Set<Socket>;
  let paths: string[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-test-unread-'));
    const web = express();
    web.post('/limited', async (req, res) => {
      await parseBody(req).then(
        ({ fields }) => res.json(fields),
        (error: unknown) => sendFailure(req, res, error),
      );
    });
    web.post('/form', async (req, res) => {
      await parseBody(req, { files: { maxBytes: 1_000, directory: folder } }).then(
        ({ fields }) => res.json(fields),
        (error: unknown) => sendFailure(req, res, error),
      );
    });
    web.post('/moved', (_req, res) => res.redirect('/elsewhere'));
    web.all('/unread', (_req, res) => void res.json({ read: false }));
    web.post('/refused', (req, res) => sendFailure(req, res, new RookeryError('unauthorized', 'No')));
    web.use(notFoundHandler);
    sockets = new Set();
    server = await listen(
      (req, res) => {
        sockets.add(req.socket);
        paths.push(req.url ?? '');
        web(req, res);
      },
      { bind: '127.0.0.1', port: 0 },
    );
    port = Number(new URL(server.url).port);
  });

  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  beforeEach(() => {
    sockets.clear();
    paths = [];
  });

  const head = (lines: readonly string[]): string => [...lines, 'Host: localhost', '', ''].join('\r\n');

  /** A client that goes on to send when the server has ended its side. */
  const open = (): Socket => connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = (socket: Socket): Promise<void> =>
    new Promise((resolve) => socket.once('close', () => resolve()));

  /** Sends as fast as the server takes it, and returns the reply and the bytes that were sent until the end. */
  async function pour(start: string, chunk: Buffer): Promise<{ reply: string; sent: number; ms: number }> {
    const socket = open().setEncoding('utf8');
    let [reply, sent] = ['', 0];
    socket.on('error', () => undefined).on('data', (text: string) => (reply += text));
    const started = performance.now();
    socket.write(start);
    const write = (): void => {
      while (sent < HUGE && !socket.destroyed) {
        sent += chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', write);
      }
    };
    write();
    await closed(socket);
    return { reply, sent: socket.bytesWritten, ms: performance.now() - started };
  }

  for (const { path, method, status } of REFUSALS) {
    const lines = [`${method} ${path} HTTP/1.1`, 'Content-Type: multipart/form-data'];
    const ways = [
      { way: 'declared', length: `Content-Length: ${HUGE}`, chunk: Buffer.alloc(100_000) },
      {
        way: 'chunked',
        length: 'Transfer-Encoding: chunked',
        chunk: Buffer.concat([Buffer.from('186a0\r\n'), Buffer.alloc(100_000), Buffer.from('\r\n')]),
      },
    ];
    for (const { way, length, chunk } of ways) {
      it(`is not read to its end after ${status} to ${method} ${path} with ${way} length`, async () => {
        const type = path === '/limited' ? ['Content-Type: application/json'] : [];
        const { reply, sent, ms } = await pour(
          head([lines[0] ?? '', ...(type.length ? type : lines.slice(1)), length]),
          chunk,
        );
        expect(reply)
          .to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
          .and.match(/^Connection: close\r$/im);
        expect(sent).to.be.below(BUFFERED);
        expect(ms).to.be.below(5_000);
        const [socket] = sockets;
        // The reply can be written while the first 64 kB and one read more wait in the server.
        expect(socket?.bytesRead).to.be.below(1_000_000);
      });
    }
  }

  /** Sends a request by Node's client, whose agent keeps connections alive. */
  async function ask(
    agent: Agent,
    options: RequestOptions,
    body: readonly Buffer[] = [],
  ): Promise<{ status: number | undefined; text: string; continued: boolean }> {
    const sent = request({ port, host: '127.0.0.1', agent, method: 'POST', ...options });
    let continued = false;
    sent.on('continue', () => (continued = true));
    // The server may end the connection while the rest is sent; the reply is what counts.
    sent.on('error', () => undefined);
    const replied = once(sent, 'response') as Promise<[AsyncIterable<Buffer> & { statusCode?: number }]>;
    sent.flushHeaders();
    await sleep(20);
    for (const piece of body) sent.write(piece);
    sent.end();
    const [response] = await replied;
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece);
    return { status: response.statusCode, text: Buffer.concat(pieces).toString(), continued };
  }

  it('leaves the connection open for the next requests when it is small', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 5; round += 1) {
      const headers = { 'content-length': 60_000 };
      const { status, text } = await ask(agent, { path: '/refused', headers }, [Buffer.alloc(60_000)]);
      expect({ status, text }).to.deep.equal({ status: 401, text: '{"error":"No"}' });
    }
    const body = Buffer.from('{"a":1}');
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    expect(await ask(agent, { path: '/limited', headers }, [body])).to.include({
      status: 200,
      text: '{"a":1}',
    });
    expect(sockets.size).to.equal(1);
    agent.destroy();
  });

  it('never eats the reply that Node, undici and curl read while they send 5 MB', async () => {
    const agent = new Agent({ keepAlive: true });
    const [large, file] = [Buffer.alloc(5_000_000, 'x'), join(folder, 'large')];
    await writeFile(file, '');
    await truncate(file, large.length);
    for (let round = 0; round < 5; round += 1) {
      const headers = { 'content-length': large.length };
      expect(await ask(agent, { path: '/refused', headers }, [large])).to.include({ status: 401 });
      expect(await ask(agent, { path: '/refused' }, [large])).to.include({ status: 401 });
      const fetched = await fetch(`${server.url}/refused`, { method: 'POST', body: large });
      expect([fetched.status, await fetched.text()]).to.deep.equal([401, '{"error":"No"}']);
      const streamed = await fetch(`${server.url}/refused`, {
        method: 'POST',
        body: new Blob([large]).stream(),
        duplex: 'half',
      });
      expect([streamed.status, await streamed.text()]).to.deep.equal([401, '{"error":"No"}']);
      for (const options of [[], ['-H', 'Expect:'], ['-H', 'Expect:', '-H', 'Transfer-Encoding: chunked']]) {
        const args = ['-s', '-w', ' %{http_code}', ...options, '--data-binary', `@${file}`];
        const { stdout } = await run('curl', [...args, `${server.url}/refused`]);
        expect(stdout).to.equal('{"error":"No"} 401');
      }
    }
    agent.destroy();
  });

  it('is asked for with 100 Continue only when a handler reads it', async () => {
    const agent = new Agent({ keepAlive: true });
    const body = Buffer.from('{"a":1}');
    const headers = { expect: '100-continue', 'content-type': 'application/json' };
    const length = { 'content-length': body.length };
    expect(await ask(agent, { path: '/limited', headers: { ...headers, ...length } }, [body])).to.deep.equal({
      status: 200,
      text: '{"a":1}',
      continued: true,
    });
    for (const path of ['/refused', '/nothing', '/moved']) {
      const { continued } = await ask(agent, { path, headers: { ...headers, ...length } }, [body]);
      expect(continued, path).to.equal(false);
    }
    const tooLong = { ...headers, 'content-length': 5_000_000 };
    const refused = await ask(agent, { path: '/limited', headers: tooLong }, [Buffer.alloc(5_000_000)]);
    expect(refused).to.include({ status: 413, continued: false });
    agent.destroy();
  });

  it('cannot swallow the next request when the client did not send it after a refusal', async () => {
    const lines = ['POST /refused HTTP/1.1', 'Content-Length: 10', 'Expect: 100-continue'];
    const socket = open().setEncoding('utf8');
    let reply = '';
    socket.on('data', (text: string) => (reply += text));
    socket.write(head(lines));
    await once(socket, 'end');
    expect(reply)
      .to.match(/^HTTP\/1\.1 401 /)
      .and.match(/^Connection: close\r$/im);
    socket.destroy();
  });

  it('may carry an expectation that nothing knows', async () => {
    const agent = new Agent();
    const headers = { expect: 'a-miracle', 'content-length': 2, 'content-type': 'application/json' };
    expect(await ask(agent, { path: '/limited', headers }, [Buffer.from('{}')])).to.include({ status: 200 });
  });

  it('hides no request that is served after the last reply of a connection', async () => {
    const rest = Buffer.alloc(70_000);
    const socket = open().setEncoding('utf8');
    socket.on('error', () => undefined).resume();
    socket.write(head(['POST /refused HTTP/1.1', `Content-Length: ${rest.length}`]));
    socket.write(rest);
    socket.write(head(['GET /unread HTTP/1.1']));
    await once(socket, 'end');
    await sleep(100);
    socket.destroy();
    expect(paths).to.deep.equal(['/refused']);
  });

  it('is cut off a second after the reply when it never comes', async () => {
    const socket = open().resume();
    socket.write(head(['POST /refused HTTP/1.1', `Content-Length: ${HUGE}`]));
    const started = performance.now();
    const beating = setInterval(() => socket.write('x'), 100);
    socket.on('error', () => undefined);
    await closed(socket);
    clearInterval(beating);
    expect(performance.now() - started).to.be.within(800, 5_000);
  });
});
