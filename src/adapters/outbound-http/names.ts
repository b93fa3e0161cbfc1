import { lookup as systemLookup, type LookupAddress, Resolver } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { fairSemaphore } from '#kernel/concurrency.ts';

/** Milliseconds of the first try; c-ares doubles it for the second one. */
const TIMEOUT = 1_500;
const TRIES = 2;
/** Milliseconds that a found address waits for one of the other family (RFC 8305 section 3). */
const OTHER_FAMILY = 50;
/** Milliseconds after which the settings of the system are read again. */
const FRESH = 60_000;
/** Names that only the system knows: those of a container beside this one, or of the local network. */
const OF_THE_SYSTEM = /^[^.]+\.?$|\.(?:localhost|local)\.?$/;

export interface NamesOptions {
  /** Name servers, instead of those of the system. */
  servers?: readonly string[];
  /** The file with names of the system. */
  hostsFile?: string;
}

/**
 * Looks up the names of other servers. The lookup of the system takes one of four threads for as long as a name server is
 * silent, and files are read by the same threads; this one takes no thread.
 */
export class Names {
  readonly #servers: readonly string[] | undefined;
  readonly #hostsFile: string;
  /** Fewer than there are threads. */
  readonly #onThreads = fairSemaphore({ running: 2, waiting: 64 });
  #read: { until: number; resolver: Resolver; hosts: Promise<Map<string, LookupAddress[]>> } | undefined;

  constructor({ servers, hostsFile = '/etc/hosts' }: NamesOptions = {}) {
    this.#servers = servers;
    this.#hostsFile = hostsFile;
  }

  lookup: LookupFunction = (hostname, options, callback) => {
    this.#find(hostname).then(
      (found) => {
        const { family } = options;
        const wanted = family === 4 || family === 6 ? found.filter((each) => each.family === family) : found;
        const [first] = wanted;
        if (!first) callback(notFound(hostname), '');
        else if (options.all) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };

  /** Ends the lookups that are under way. */
  close(): void {
    this.#read?.resolver.cancel();
  }

  async #find(hostname: string): Promise<LookupAddress[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const { resolver, hosts } = this.#settings();
    const known = (await hosts).get(name);
    if (known) return known;
    if (OF_THE_SYSTEM.test(name)) return this.#onSystem(name);
    try {
      return await resolve(resolver, name);
    } catch (error) {
      // There is no name server, but the system may have other means.
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return this.#onSystem(name);
      throw error;
    }
  }

  #onSystem(name: string): Promise<LookupAddress[]> {
    return this.#onThreads(() => lookupAll(name, { all: true }));
  }

  #settings() {
    if (this.#read && performance.now() < this.#read.until) return this.#read;
    const resolver = new Resolver({ timeout: TIMEOUT, tries: TRIES });
    if (this.#servers) resolver.setServers(this.#servers);
    const hosts = readFile(this.#hostsFile, 'utf8').then(readHosts, () => new Map<string, LookupAddress[]>());
    this.#read = { until: performance.now() + FRESH, resolver, hosts };
    return this.#read;
  }
}

const lookupAll = promisify(systemLookup) as (
  name: string,
  options: { all: true },
) => Promise<LookupAddress[]>;

/** Returns addresses of both families, IPv4 first: connections are tried in this order. */
async function resolve(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const found: LookupAddress[][] = [[], []];
  const { promise: late, resolve: end } = Promise.withResolvers<undefined>();
  let timer: NodeJS.Timeout | undefined;
  const ask = async (family: 4 | 6, at: 0 | 1): Promise<void> => {
    const addresses = await (family === 4
      ? promisify<string, string[]>(resolver.resolve4.bind(resolver))(name)
      : promisify<string, string[]>(resolver.resolve6.bind(resolver))(name));
    found[at] = addresses.map((address) => ({ address, family }));
    timer ??= setTimeout(() => end(undefined), OTHER_FAMILY);
  };
  const [first, second] = [ask(4, 0), ask(6, 1)];
  const both = await Promise.race([Promise.allSettled([first, second]), late]);
  clearTimeout(timer);
  const all = found.flat();
  if (all.length > 0) return all;
  const failure = both?.find((each) => each.status === 'rejected' && !isMissing(each.reason));
  throw failure?.status === 'rejected' ? (failure.reason as Error) : notFound(name);
}

const isMissing = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '');

const notFound = (name: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });

/** Reads a file in the form of `/etc/hosts`. */
function readHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
    }
  }
  return hosts;
}
