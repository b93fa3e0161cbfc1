import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/** The address that a request would reach is none that it may reach. */
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
}

/**
 * Makes the connections of outbound requests. Addresses that are not permitted are dropped from the answers of the DNS,
 * so no packet goes there; and the address of the socket that came about is looked at once more, whatever led to it.
 */
export function guardedConnector({ permits, timeout, lookup }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout,
    lookup: guardedLookup(permits, lookup ?? systemLookup),
    // Session tickets of hosts that are seen once are no use.
    maxCachedSessions: 0,
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // A host that is an address is not looked up.
    if (isIP(host) !== 0 && !permits(host)) return callback(new ForbiddenAddress(host), null);
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && permits(remoteAddress)) return callback(null, socket);
      socket.destroy();
      // A connection that is closed has no address any more; a later try may work.
      const isGone = remoteAddress === undefined;
      callback(isGone ? new Error(`${host} broke the connection off`) : new ForbiddenAddress(host), null);
    });
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
