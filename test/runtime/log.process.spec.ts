import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { z } from 'zod';
import type { LogLevel } from '#config/config.ts';
import { createLog, requestLogger } from '#config/logger.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { RookeryError } from '#kernel/errors.ts';
import { LogUnavailable } from '#storage/eventlog/port.ts';

const read = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id',
  summary: 'An account',
  auth: 'optional',
  scopes: [],
  reply: z.object({}),
  handler: () => Promise.resolve({ json: {} }),
});

describe('The log', () => {
  let lines: string[];
  const open = (level: LogLevel) => createLog({ level, to: { write: (line) => void lines.push(line) } });
  const entry = () => JSON.parse(lines[0] ?? '{}');
  beforeEach(() => (lines = []));

  it('omits headers and fields with secrets', () => {
    open('info').info(
      {
        req: {
          headers: { authorization: 'Bearer s3cret', cookie: 's3cret', 'set-cookie': 's3cret', host: 'here' },
        },
        body: { password: 's3cret', email: 's3cret' },
        token: 's3cret',
      },
      'something',
    );
    expect(lines.join()).not.to.include('s3cret');
    expect(entry().req.headers.host).to.equal('here');
  });

  const texts: [string, string][] = [
    ['mail to alice.b+c@mail.example.org failed', 'mail to [e-mail] failed'],
    ['sent Authorization: Bearer abcdefgh12345', 'sent Authorization: Bearer [redacted]'],
    ['GET /x?access_token=abc.def&limit=2', 'GET /x?access_token=[redacted]&limit=2'],
    ['postgres://rookery:hunter2@db:5432/x', 'postgres://rookery:[redacted]@db:5432/x'],
    ['redis://:hunter2@cache', 'redis://:[redacted]@cache'],
    ['at node_modules/@eventstore/db-client/x.js:1:2', 'at node_modules/@eventstore/db-client/x.js:1:2'],
  ];
  for (const [text, written] of texts) {
    it(`omits secrets from text: ${written}`, () => {
      open('info').error({ err: new Error(text) }, text);
      expect(entry().msg).to.equal(written);
      expect(entry().err.message).to.equal(written);
      expect(entry().err.stack).to.include(written);
    });
  }

  it("contains the causes of an error, and none of the users' texts that came with it", () => {
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', parameters: ['my diary'] });
    open('info').error({ err: new RookeryError('internal', 'not stored', { cause }) });
    expect(entry().err).to.include({ type: 'RookeryError', code: 'internal', message: 'not stored' });
    expect(entry().err.cause).to.include({ code: '23505', message: 'duplicate key' });
    expect(entry().err.cause.stack).to.include('log.process.spec.ts');
    expect(lines.join()).not.to.include('diary');
  });

  it('accepts errors that are circular, in a list, or none', () => {
    const circle = new Error('round');
    circle.cause = circle;
    const log = open('info');
    log.error({ err: circle });
    log.error({ err: new AggregateError([new Error('first address'), new Error('second address')]) });
    log.error({ err: { a: 1n } });
    expect(lines).to.have.length(3);
    expect(lines[1]).to.include('second address');
  });

  it('records requests at debug by their route', () => {
    const request = { endpoint: read, status: 200, seconds: 0.0123, id: 'r1' };
    requestLogger(open('info'))(request);
    expect(lines).to.deep.equal([]);
    requestLogger(open('debug'))(request);
    expect(entry()).to.include({
      request: 'r1',
      route: '/api/v1/accounts/:id',
      status: 200,
      ms: 12.3,
      level: 20,
    });
  });

  it('records refused requests at debug as well', () => {
    const error = new RookeryError('not_found', 'Record not found');
    requestLogger(open('info'))({ endpoint: read, status: 404, seconds: 0, id: 'r1', error });
    expect(lines).to.deep.equal([]);
  });

  it('contains the reason of an internal error', () => {
    const error = new Error('no connection');
    requestLogger(open('info'))({ endpoint: read, status: 500, seconds: 0, id: 'r1', error });
    expect(entry()).to.include({ level: 50, request: 'r1', status: 500 });
    expect(entry().err.stack).to.include('no connection');
  });

  it('reports an outage, and not each request that met it', () => {
    const cause = new LogUnavailable('EventStoreDB did not append', new Error('14 UNAVAILABLE'));
    const error = new RookeryError('unavailable', 'The event log cannot be reached', { cause });
    requestLogger(open('info'))({ endpoint: read, status: 503, seconds: 0, id: 'r1', error });
    expect(entry()).to.include({ level: 50, request: 'r1', status: 503 });
    expect(entry().err.cause.cause.message).to.equal('14 UNAVAILABLE');
    expect(lines.join()).not.to.include('stack');
  });

  it('names the place of an error that an outage caused', () => {
    const error = new Error('half done', { cause: new LogUnavailable('EventStoreDB is silent') });
    open('info').error({ err: error });
    expect(entry().err.stack).to.include('log.process.spec.ts');
    expect(entry().err.cause).to.deep.equal({ type: 'LogUnavailable', message: 'EventStoreDB is silent' });
  });

  for (const end of ['process.exit(3)', 'setImmediate(() => { throw new Error("crash") })', '']) {
    it(`is written before the process ends, by ${end || 'itself'}`, () => {
      const code = `
        import { createLog } from ${JSON.stringify(new URL('../../src/config/logger.ts', import.meta.url).href)};
        const log = createLog({ level: 'info' });
        for (let i = 0; i < 500; i += 1) log.info({ i }, 'line');
        ${end}`;
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
        encoding: 'utf8',
      });
      expect(stdout.trim().split('\n')).to.have.length(500);
    });
  }
});
