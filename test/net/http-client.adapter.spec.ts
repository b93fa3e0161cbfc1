import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { guardedConnector } from '#adapters/outbound-http/connector.ts';
import { FetchError } from '#adapters/outbound-http/errors.ts';
import { createHttpClient, type OpenHttpClient } from '#adapters/outbound-http/http-client.ts';
import type { Names } from '#adapters/outbound-http/names.ts';
import type { FetchFailure, HttpRequest, HttpResponse } from '#kernel/services/http-client.ts';
import { type RoomLimits, WaitingRoom } from '#kernel/waiting-room.ts';
import { PATIENCE } from '../support/eventually.ts';

/** Runs in a thread of its own: cuts off each connection, and reports it. */
const BREAKS_OFF = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    socket.resetAndDestroy();
    Atomics.store(workerData, 0, 1);
    Atomics.notify(workerData, 0);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('Outbound requests', () => {
  let server: Server;
  let port: number;
  let connections = 0;
  let answer: RequestListener = () => undefined;
  const clients: OpenHttpClient[] = [];

  before(async () => {
    // Listens on all of loopback, so that a request to a forbidden address would get a reply.
    server = createServer((req, res) => answer(req, res)).listen(0, '0.0.0.0');
    server.on('connection', () => (connections += 1));
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => (connections = 0));
  afterEach(async () => {
    server.closeAllConnections();
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  after(() => server.close());

  const client = (...allowedPrivateAddresses: string[]): OpenHttpClient => {
    const made = createHttpClient({
      allowedPrivateAddresses,
      userAgent: 'Rookery/test (+https://r.example/)',
    });
    clients.push(made);
    return made;
  };
  const here = (path = '/'): string => `http://127.0.0.1:${port}${path}`;
  const fetchHere = (path: string, request?: HttpRequest): Promise<HttpResponse> =>
    client('127.0.0.1').fetch(here(path), request);
  const failure = async (response: Promise<unknown>): Promise<FetchFailure> => {
    try {
      await response;
    } catch (error) {
      expect(error).to.be.instanceOf(FetchError);
      return (error as FetchError).code;
    }
    throw new Error('It did not fail');
  };

  it('send the name of the instance and no cookies', async () => {
    answer = (req, res) => {
      res.setHeader('Set-Cookie', 'a=b');
      res.setHeader('X-Two', ['1', '2']);
      res.end(JSON.stringify(req.headers));
    };
    const open = client('127.0.0.1');
    await open.fetch(here());
    const { status, headers, body, url } = await open.fetch(here('/x?y=1#z'));
    expect(status).to.equal(200);
    expect(url).to.equal(here('/x?y=1#z'));
    expect(headers).to.include({ 'x-two': '1, 2' }).and.not.have.property('set-cookie');
    const sent = JSON.parse(body.toString()) as Record<string, string>;
    expect(sent['user-agent']).to.equal('Rookery/test (+https://r.example/)');
    expect(sent).to.not.have.any.keys('cookie', 'referer');
  });

  it('send a body, and do not repeat it elsewhere', async () => {
    answer = (req, res) => {
      if (req.url === '/moved') return void res.writeHead(307, { Location: '/' }).end();
      req.pipe(res);
    };
    expect((await fetchHere('/', { method: 'POST', body: 'text' })).body.toString()).to.equal('text');
    expect((await fetchHere('/moved', { method: 'POST', body: 'text' })).status).to.equal(307);
  });

  it('accept any status', async () => {
    answer = (_req, res) => void res.writeHead(404).end('no');
    expect(await fetchHere('/')).to.deep.include({ status: 404, body: Buffer.from('no') });
  });

  it('accept a reply with an encoding and no body', async () => {
    for (const encoding of ['gzip', 'br', 'deflate']) {
      answer = (_req, res) => void res.writeHead(202, { 'Content-Encoding': encoding }).end();
      const { status, body } = await fetchHere('/', { method: 'POST', body: 'text' });
      expect([status, body.length], encoding).to.deep.equal([202, 0]);
    }
  });

  describe('to forbidden addresses', () => {
    const forbidden = [
      (at: number) => `http://127.0.0.1:${at}/`,
      (at: number) => `http://localhost:${at}/`,
      (at: number) => `http://2130706433:${at}/`,
      (at: number) => `http://0x7f.1:${at}/`,
      (at: number) => `http://[::ffff:127.0.0.1]:${at}/`,
      (at: number) => `http://0.0.0.0:${at}/`,
    ];
    for (const make of forbidden) {
      it(`open no connection: ${make(0)}`, async () => {
        expect(await failure(client().fetch(make(port)))).to.equal('forbidden_address');
        expect(connections).to.equal(0);
      });
    }

    it('do not follow a redirect there', async () => {
      answer = (_req, res) => void res.writeHead(302, { Location: `http://127.0.0.2:${port}/` }).end();
      expect(await failure(fetchHere('/'))).to.equal('forbidden_address');
      expect(connections).to.equal(1);
    });

    it('close the connection when the socket turns out to lead there', async () => {
      // As if the DNS answer changed in between: the address is permitted at the look-up and forbidden at the
      // connection.
      const tcp = createTcpServer().listen(0, '127.0.0.1');
      await once(tcp, 'listening');
      const ended = once(tcp, 'connection').then(async ([socket]) => {
        (socket as Socket).resume();
        await once(socket as Socket, 'close');
      });
      let looks = 0;
      const connector = guardedConnector({ permits: () => (looks += 1) === 1, timeout: PATIENCE });
      const { port: at } = tcp.address() as AddressInfo;
      const error = await new Promise((resolve) =>
        connector({ hostname: '127.0.0.1', protocol: 'http:', port: String(at) }, (...result) =>
          resolve(result[0]),
        ),
      );
      expect(error).to.be.instanceOf(Error).with.property('name', 'ForbiddenAddress');
      await ended;
      tcp.close();
    });

    for (const url of [
      'file:///etc/passwd',
      'ftp://example.org/',
      'gopher://x/',
      'no url',
      `http://x/${'y'.repeat(5_000)}`,
    ]) {
      it(`refuse ${url.slice(0, 40)}`, async () => {
        expect(await failure(client().fetch(url))).to.equal('bad_url');
      });
    }
  });

  describe('with redirects', () => {
    it('follow some, and return the final address', async () => {
      answer = (req, res) => {
        const [, left = '0'] = /^\/(\d)$/.exec(req.url ?? '') ?? [];
        if (left === '0') return void res.end('there');
        res.writeHead(301, { Location: String(Number(left) - 1) }).end();
      };
      const { url, body } = await fetchHere('/5');
      expect([url, body.toString()]).to.deep.equal([here('/0'), 'there']);
      expect(await failure(fetchHere('/6'))).to.equal('too_many_redirects');
      expect(await failure(fetchHere('/1', { maxRedirects: 0 }))).to.equal('too_many_redirects');
    });

    it('omit credentials when the host changes', async () => {
      const seen: (string | undefined)[] = [];
      answer = (req, res) => {
        seen.push(req.headers.authorization);
        if (req.url === '/') res.writeHead(302, { Location: `http://127.0.0.2:${port}/next` }).end();
        else res.end();
      };
      const headers = { Authorization: 'Bearer secret' };
      await client('127.0.0.0/8').fetch(here(), { headers });
      expect(seen).to.deep.equal(['Bearer secret', undefined]);
    });

    it('compute the headers for each step if they depend on it', async () => {
      const seen: unknown[] = [];
      answer = (req, res) => {
        seen.push(req.headers['x-path']);
        if (req.url === '/a') res.writeHead(302, { Location: '/b' }).end();
        else res.end();
      };
      await fetchHere('/a', { headers: (url) => ({ 'X-Path': url.pathname }) });
      expect(seen).to.deep.equal(['/a', '/b']);
    });

    it('refuse a redirect to another protocol', async () => {
      answer = (_req, res) => void res.writeHead(302, { Location: 'file:///etc/passwd' }).end();
      expect(await failure(fetchHere('/'))).to.equal('bad_url');
    });
  });

  describe('with a deadline', () => {
    it('end when a host does not respond', async () => {
      answer = () => undefined;
      expect(await failure(fetchHere('/', { deadline: 50 }))).to.equal('timeout');
    });

    it('end when a body is slow', async () => {
      const drips: NodeJS.Timeout[] = [];
      answer = (_req, res) => {
        res.writeHead(200);
        drips.push(setInterval(() => res.write('.'), 10));
      };
      expect(await failure(fetchHere('/', { deadline: 100 }))).to.equal('timeout');
      drips.forEach(clearInterval);
    });

    it('include redirects in the deadline', async () => {
      answer = (_req, res) => void setTimeout(() => res.writeHead(302, { Location: '/' }).end(), 30);
      expect(await failure(fetchHere('/', { deadline: 100, maxRedirects: 1_000 }))).to.equal('timeout');
    });

    it('end when the caller aborts', async () => {
      answer = () => undefined;
      const signal = AbortSignal.timeout(20);
      expect(await failure(fetchHere('/', { signal }))).to.equal('cancelled');
    });
  });

  describe('without a body', () => {
    it('end with the headers, and keep the connection when the body is short', async () => {
      answer = (_req, res) => void res.writeHead(202, { 'X-Two': 'b' }).end('short');
      const open = client('127.0.0.1');
      for (let n = 0; n < 3; n += 1) {
        const { status, headers, body } = await open.fetch(here(), { method: 'POST', withoutBody: true });
        expect([status, headers['x-two'], body.length]).to.deep.equal([202, 'b', 0]);
        await turn();
      }
      expect(connections).to.equal(1);
    });

    it('close the connection when the body does not end', async () => {
      const closed = Promise.withResolvers<undefined>();
      answer = (req, res) => {
        req.socket.once('close', () => closed.resolve(undefined));
        res.writeHead(202).write('.');
      };
      expect((await fetchHere('/', { withoutBody: true })).status).to.equal(202);
      await closed.promise;
    });
  });

  describe('to hosts that hang', () => {
    const hosts = (count: number, second = 1): string[] =>
      Array.from({ length: count }, (_, n) => `http://127.${second}.${n >> 8}.${n & 255}:${port}/`);
    const open = (limits: Partial<RoomLimits>): { made: OpenHttpClient; room: WaitingRoom } => {
      const room = new WaitingRoom(limits);
      const made = createHttpClient({ allowedPrivateAddresses: ['127.0.0.0/8'], userAgent: 'test', room });
      clients.push(made);
      return { made, room };
    };

    it('leave room for hosts that answer, within a bounded number of sockets', async () => {
      const sockets: Socket[] = [];
      let most = 0;
      const onSocket = (message: unknown): void => {
        sockets.push((message as { socket: Socket }).socket);
        most = Math.max(most, sockets.filter(({ destroyed }) => !destroyed).length);
      };
      subscribe('net.client.socket', onSocket);
      answer = (req, res) => {
        if (req.socket.localAddress?.startsWith('127.1.')) res.end('here');
      };
      const { made, room } = open({ slowAfter: 500, inAll: 20, slow: 10, kept: 5 });
      const hanging = hosts(150, 2).map((url) => failure(made.fetch(url)));
      const live = await Promise.all(hosts(40).map((url) => made.fetch(url)));
      expect(live.map(({ status }) => status)).to.deep.equal(live.map(() => 200));
      expect(new Set(await Promise.all(hanging))).to.deep.equal(new Set(['timeout']));
      expect(room.size).to.equal(0);
      unsubscribe('net.client.socket', onSocket);
      expect(most, 'those under way, and the connections to live hosts that are kept').to.be.at.most(20 + 40);
    });

    it('end a connection that nothing waits for any longer before it is made', async () => {
      // A socket asks for its address within the call that makes it, so the newest one asks.
      let newest: Socket | undefined;
      const asking: (Socket | undefined)[] = [];
      const names = { lookup: () => void asking.push(newest), close: () => undefined } as unknown as Names;
      const room = new WaitingRoom();
      const made = createHttpClient({ allowedPrivateAddresses: [], userAgent: 'test', room, names });
      clients.push(made);
      const onSocket = (message: unknown): void => void (newest = (message as { socket: Socket }).socket);
      subscribe('net.client.socket', onSocket);
      expect(await failure(made.fetch('http://never.example/', { deadline: 50 }))).to.equal('timeout');
      unsubscribe('net.client.socket', onSocket);
      expect(asking.map((socket) => socket?.destroyed)).to.deep.equal([true]);
      expect(room.size).to.equal(0);
    });
  });

  describe('with a maximum size', () => {
    it('abort a body that is too large, or keep its beginning', async () => {
      answer = (_req, res) => void res.end(Buffer.alloc(5_000, 'x'));
      expect(await failure(fetchHere('/', { maxBytes: 4_999 }))).to.equal('too_large');
      expect((await fetchHere('/', { maxBytes: 5_000 })).body).to.have.lengthOf(5_000);
      expect((await fetchHere('/', { maxBytes: 10, truncate: true })).body.toString()).to.equal('xxxxxxxxxx');
    });

    it('do not wait for the end of an endless body', async () => {
      answer = (_req, res) => {
        const flood = (): void => {
          while (res.write(Buffer.alloc(65_536)));
          res.once('drain', flood);
        };
        flood();
      };
      expect((await fetchHere('/', { truncate: true })).body).to.have.lengthOf(1_048_576);
    });

    it('count decompressed bytes', async () => {
      const zeros = Buffer.alloc(20_000_000);
      answer = (req, res) => {
        const gzip = req.url === '/gzip';
        res.setHeader('Content-Encoding', gzip ? 'gzip' : 'br');
        res.end(gzip ? gzipSync(zeros) : brotliCompressSync(zeros));
      };
      expect(await failure(fetchHere('/gzip'))).to.equal('too_large');
      expect(await failure(fetchHere('/br'))).to.equal('too_large');
      answer = (_req, res) => void res.setHeader('Content-Encoding', 'gzip').end(gzipSync('packed'));
      expect((await fetchHere('/')).body.toString()).to.equal('packed');
    });

    it('do not read a body of the wrong type', async () => {
      answer = (_req, res) => void res.setHeader('Content-Type', 'video/mp4').end('x');
      const accepts = (type: string): boolean => type.startsWith('text/html');
      expect(await failure(fetchHere('/', { accepts }))).to.equal('unexpected_type');
    });
  });

  it('count an aborted connection as an outage, not as a forbidden address', async () => {
    const reset = new Int32Array(new SharedArrayBuffer(4));
    const breaking = new Worker(BREAKS_OFF, { eval: true, workerData: reset });
    const [at] = (await once(breaking, 'message')) as [number];
    // The other end is gone before the address is read.
    const onSocket = (message: unknown): void => {
      const { socket } = message as { socket: Socket };
      socket.prependOnceListener('connect', () => Atomics.wait(reset, 0, 0, PATIENCE));
    };
    subscribe('net.client.socket', onSocket);
    try {
      expect(await failure(client('127.0.0.1').fetch(`http://127.0.0.1:${at}/`))).to.equal('unreachable');
      expect(reset[0], 'broken off').to.equal(1);
    } finally {
      unsubscribe('net.client.socket', onSocket);
      await breaking.terminate();
    }
  });

  it('name only the host in errors, because paths may contain secrets', async () => {
    answer = (req) => void req.socket.destroy();
    try {
      await fetchHere('/secret');
    } catch (error) {
      expect((error as Error).message).to.equal(`127.0.0.1:${port} cannot be reached`);
      return;
    }
    throw new Error('It did not fail');
  });
});
