import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Names } from '#adapters/outbound-http/names.ts';

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;

describe('The lookup of names', () => {
  let server: Socket;
  let folder: string;
  /** The names that were asked for, with their types. */
  let asked: string[];
  const opened: Names[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-names-'));
    server = createSocket('udp4');
    server.on('message', (query, { port, address }) => {
      const reply = answer(query);
      if (reply) server.send(reply, port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => (asked = []));
  afterEach(() => opened.splice(0).forEach((names) => names.close()));
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  function addressOf(label: string, type: number): Buffer | undefined {
    if (label === 'missing') return undefined;
    if (type === A && label !== 'six') return Buffer.from([192, 0, 2, 7]);
    return type === AAAA && label !== 'four'
      ? Buffer.from('20010db8000000000000000000000007', 'hex')
      : undefined;
  }

  /** Answers a query by its first label: `silent` never, `missing` with no such name, `both` by two addresses. */
  function answer(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const [first = ''] = labels;
    asked.push(`${labels.join('.')} ${type}`);
    if (first === 'silent') return undefined;
    if (type === AAAA && first === 'half') return undefined;
    const found = addressOf(first, type);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 + (first === 'missing' ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(found ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const record = Buffer.alloc(found ? 12 : 0);
    if (found) {
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(found.length, 10);
    }
    return Buffer.concat([header, query.subarray(12, at + 5), record, found ?? Buffer.alloc(0)]);
  }

  const names = (hostsFile = join(folder, 'none')): Names => {
    const made = new Names({ servers: [`127.0.0.1:${server.address().port}`], hostsFile });
    opened.push(made);
    return made;
  };
  const find = (made: Names, name: string, options = {}): Promise<string[] | string> =>
    new Promise((resolve, reject) => {
      made.lookup(name, { all: true, ...options }, (error, found) => {
        if (error) reject(error);
        else resolve(typeof found === 'string' ? found : found.map(({ address }) => address));
      });
    });
  const failure = (made: Names, name: string): Promise<unknown> =>
    find(made, name).catch((error: NodeJS.ErrnoException) => error.code);

  it('returns addresses of both families, IPv4 first', async () => {
    const made = names();
    expect(await find(made, 'both.example')).deep.equal(['192.0.2.7', '2001:db8::7']);
    expect(await find(made, 'four.example')).deep.equal(['192.0.2.7']);
    expect(await find(made, 'six.example')).deep.equal(['2001:db8::7']);
    expect(await find(made, 'both.example', { all: false })).equal('192.0.2.7');
    expect(await find(made, 'both.example', { family: 6 })).deep.equal(['2001:db8::7']);
  });

  it('does not wait for the other family when an address was found', async () => {
    expect(await find(names(), 'half.example')).deep.equal(['192.0.2.7']);
  });

  it('fails for names without an address', async () => {
    expect(await failure(names(), 'missing.example')).equal('ENOTFOUND');
  });

  it('takes no thread for names that do not resolve, so that files are read and other names found', async () => {
    const made = names();
    const silent = Array.from({ length: 60 }, (_, n) => failure(made, `silent.host${n}.example`));
    expect(await find(made, 'both.example')).to.have.length(2);
    expect((await stat(folder)).isDirectory()).equal(true);
    expect(asked.filter((each) => each.startsWith('silent')).length).greaterThan(0);
    made.close();
    expect(new Set(await Promise.all(silent))).deep.equal(new Set(['ECANCELLED']));
  });

  it('reads the names of the system before it asks a server', async () => {
    const file = join(folder, 'hosts');
    await writeFile(
      file,
      '# names\n198.51.100.9 Both.example other # comment\n2001:db8::9\tboth.example\n\nx y\n',
    );
    expect(await find(names(file), 'BOTH.example.')).deep.equal(['198.51.100.9', '2001:db8::9']);
    expect(asked).deep.equal([]);
  });

  it('leaves names without a dot to the system', async () => {
    expect(await find(names(), 'localhost')).to.include('127.0.0.1');
    expect(asked).deep.equal([]);
  });
});
