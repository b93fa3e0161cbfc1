import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';

/** A request would reach a forbidden address. */
export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is at no address that may be reached`);
    this.name = 'ForbiddenAddress';
  }
}

export interface ConnectorOptions {
  permits: (address: string) => boolean;
  /** Milliseconds. */
  timeout: number;
  /** `dns.lookup` unless given. */
  lookup?: LookupFunction;
  sockets?: Sockets;
}

/** The sockets of a client. */
export class Sockets {
  readonly #connecting = new Map<string, Set<Socket>>();
  #open = 0;

  /** Sockets that are open or connect. */
  get open(): number {
    return this.#open;
  }

  opened(host: string, socket: Socket): void {
    this.#open += 1;
    const connecting = this.#connecting.get(host) ?? new Set();
    this.#connecting.set(host, connecting.add(socket));
    socket.once('close', () => {
      this.#open -= 1;
      this.connected(host, socket);
    });
  }

  connected(host: string, socket: Socket): void {
    const connecting = this.#connecting.get(host);
    connecting?.delete(socket);
    if (connecting?.size === 0) this.#connecting.delete(host);
  }

  /** Ends connections that are not made yet: undici would wait for them, though nothing else does. */
  giveUp(host: string): void {
    for (const socket of this.#connecting.get(host) ?? []) socket.destroy(new Error('Not waited for'));
  }
}

/**
 * Creates the connections of outbound requests. Forbidden addresses are dropped from DNS answers, so no
 * packet goes there. The address of the connected socket is checked again, whatever led to it.
 */
export function guardedConnector({
  permits,
  timeout,
  lookup,
  sockets,
}: ConnectorOptions): buildConnector.connector {
  // undici returns the socket, which its types do not say.
  const connect = buildConnector({
    timeout,
    lookup: guardedLookup(permits, lookup ?? systemLookup),
    // Session tickets of hosts that are contacted once are useless.
    maxCachedSessions: 0,
  }) as (...call: Parameters<buildConnector.connector>) => Socket;
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // A host that is an IP address is not resolved.
    if (isIP(host) !== 0 && !permits(host)) return callback(new ForbiddenAddress(host), null);
    const opened = connect(options, (...result) => {
      const [error, socket] = result;
      sockets?.connected(options.host ?? host, opened);
      if (error) return callback(error, null);
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && permits(remoteAddress)) return callback(null, socket);
      socket.destroy();
      // A closed connection has no address any longer; a retry may work.
      const isGone = remoteAddress === undefined;
      callback(isGone ? new Error(`${host} broke the connection off`) : new ForbiddenAddress(host), null);
    });
    sockets?.opened(options.host ?? host, opened);
  };
}

function guardedLookup(permits: (address: string) => boolean, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, '');
      const found: LookupAddress[] = Array.isArray(answer) ? answer : [];
      const permitted = found.filter(({ address }) => permits(address));
      const [first] = permitted;
      if (!first) return callback(new ForbiddenAddress(hostname), '');
      if (options.all) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}
