import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { expect } from 'chai';
import { ConfigError } from '#config/config.ts';
import { openEventStoreDb } from '#storage/eventlog/eventstoredb.ts';
import { LogUnavailable } from '#storage/eventlog/port.ts';
import { patience } from '../support/deadlines.ts';
import { freePort } from '../support/free-port.ts';
import { failure } from './support/events.ts';
import {
  DOUBLE_VERSION,
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from './support/eventstoredb-double.ts';
import { startEventStoreDbCluster } from './support/eventstoredb-double-cluster.ts';
import { SELF_SIGNED } from './support/self-signed.ts';

describe('The connection string of EventStoreDB (test double over gRPC)', () => {
  let plain: EventStoreDbDouble;
  let secured: EventStoreDbDouble;
  let authority: string;
  /** Has the certificate of 127.0.0.1 at another address. */
  let elsewhere: Server;

  before(async () => {
    [plain, secured] = await Promise.all([
      startEventStoreDbDouble(),
      startEventStoreDbDouble({ tls: SELF_SIGNED, password: 'pa:ss@word' }),
    ]);
    authority = join(await mkdtemp(join(tmpdir(), 'rookery-esdb-')), 'ca.pem');
    await writeFile(authority, SELF_SIGNED.certificate);
    const { key, certificate: cert } = SELF_SIGNED;
    elsewhere = createServer({ key, cert, ALPNProtocols: ['h2'] }).listen(0, '127.0.0.2');
    await once(elsewhere, 'listening');
  });
  after(async () => {
    elsewhere.close();
    await Promise.all([plain.kill(), secured.kill()]);
    await rm(join(authority, '..'), { recursive: true });
  });

  const opens = async (url: string): Promise<void> => {
    const store = await openEventStoreDb(url);
    expect(await store.head()).to.equal(0n);
    await store.close();
  };
  const hostOf = ({ url }: EventStoreDbDouble): string => new URL(url).host;

  it('may start with kurrentdb://', async () => {
    await opens(`kurrentdb://${hostOf(plain)}?tls=false`);
  });

  it('shows the version of the server, and none while the server is away', async () => {
    const double = await startEventStoreDbDouble();
    const store = await openEventStoreDb(double.url);
    expect(await store.serverVersion()).to.equal(DOUBLE_VERSION);
    await double.kill();
    const away = await openEventStoreDb(plain.url);
    await plain.kill();
    expect(await away.serverVersion()).to.equal(undefined);
    await plain.restart();
    expect(await away.serverVersion()).to.equal(DOUBLE_VERSION);
    await Promise.all([store.close(), away.close()]);
  });

  it('may name several servers, or one server for discovery', async () => {
    const cluster = await startEventStoreDbCluster();
    await opens(cluster.url);
    const [first = ''] = /127\.0\.0\.1:\d+/.exec(cluster.url) ?? [];
    for (const scheme of ['esdb', 'kurrentdb']) await opens(`${scheme}+discover://${first}?tls=false`);
    await cluster.close();
  });

  it('may contain a user name, a password and the path of a certificate', async () => {
    await opens(`esdb://admin:pa%3Ass%40word@${hostOf(secured)}?tlsCAFile=${encodeURIComponent(authority)}`);
  });

  const malformed: [what: string, url: string, problem: RegExp][] = [
    ['an unknown scheme', 'http://127.0.0.1:2113', /must begin with esdb:\/\//],
    ['no server', 'esdb://', /must begin with|cannot be read/],
    ['a port that is none', 'esdb://127.0.0.1:port?tls=false', /cannot be read: .*port/],
    ['a value that is none', 'esdb://127.0.0.1:2113?tls=maybe', /cannot be read: .*true or false/],
    ['an option without a value', 'esdb://127.0.0.1:2113?tls', /cannot be read/],
    ['an unknown option', 'esdb://u:hunter2@127.0.0.1:2113?tsl=false', /has an unknown option "tsl"/],
    ['an option that this client lacks', 'esdb://127.0.0.1:2113?tlsVerifyCert=false', /tlsCAFile/],
    ['a password with a colon', 'esdb://u:hunter2:x@127.0.0.1:2113', /write them as %3A and %40/],
    ['a password with an at sign', 'esdb://u:hunter2@x@127.0.0.1:2113', /write them as %3A and %40/],
    ['a user without a password', 'esdb://hunter2@127.0.0.1:2113', /user:password@/],
    ['a password that is no percent-encoding', 'esdb://u:hunter2%zz@127.0.0.1:2113', /cannot be read/],
    [
      'a certificate that is not there',
      'esdb://127.0.0.1:2113?tlsCAFile=/nope',
      /cannot be read: .*not found/,
    ],
  ];
  for (const [what, url, problem] of malformed) {
    it(`is refused with ${what}, in one line that names the setting and hides the password`, async () => {
      const error = await failure(openEventStoreDb(url));
      expect(error).to.be.instanceOf(ConfigError);
      expect((error as Error).message)
        .to.match(/^EVENTSTORE_URL [^\n]+$/)
        .and.to.match(problem)
        .and.not.to.include('hunter2');
    });
  }

  const unreachable: [what: string, url: () => Promise<string> | string, cause: RegExp][] = [
    [
      'nothing listens',
      async () => `esdb://127.0.0.1:${await freePort()}?tls=false`,
      /nothing listens there .*ECONNREFUSED/,
    ],
    [
      'nothing listens at any server of a cluster',
      async () => `esdb://127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}?tls=false`,
      /nothing listens there .*ECONNREFUSED/,
    ],
    ['the server speaks no TLS', () => `esdb://${hostOf(plain)}`, /tls=false/],
    ['the server speaks TLS', () => `esdb://${hostOf(secured)}?tls=false`, /tls=true/],
    ['the certificate is not trusted', () => `esdb://admin:x@${hostOf(secured)}`, /tlsCAFile/],
    [
      'the certificate is that of another address',
      () => {
        const { port } = elsewhere.address() as AddressInfo;
        return `esdb://127.0.0.2:${port}?tlsCAFile=${encodeURIComponent(authority)}`;
      },
      /tlsCAFile.*127\.0\.0\.2/,
    ],
    [
      'the password is wrong',
      () => `esdb://admin:wrong@${hostOf(secured)}?tlsCAFile=${encodeURIComponent(authority)}`,
      /the password is wrong/,
    ],
    [
      'no server is known by that name',
      () => 'esdb://nowhere.invalid:2113?tls=false',
      /the name of the server is not known/,
    ],
  ];
  for (const [what, url, cause] of unreachable) {
    it(`causes an error that tells the reason when ${what}`, async () => {
      const error = await failure(openEventStoreDb(await url(), { deadlineMs: patience(2_000) }));
      expect(error).to.be.instanceOf(LogUnavailable);
      expect((error as Error).message, String(error))
        .to.match(/^EventStoreDB cannot be reached: /)
        .and.to.match(cause);
    });
  }
});
