import { isIP } from 'node:net';
import { ChannelCredentials } from '@grpc/grpc-js';

/** Members of the connector of a secured channel that its public type leaves out. */
interface ConnectorInternals {
  connectionOptions?: { host?: string; servername?: string };
}

let isDone = false;

/**
 * Makes channels of this process name a server to TLS only where it has a name. grpc-js (1.14) also names IP addresses, which RFC 6066
 * (section 3) forbids: Node warns of it. Without a name, Node compares the certificate with the host.
 */
export function nameNoAddresses(): void {
  if (isDone) return;
  isDone = true;
  const secured = Object.getPrototypeOf(ChannelCredentials.createSsl()) as ChannelCredentials;
  const connectorOf: ChannelCredentials['_createSecureConnector'] = Reflect.get(
    secured,
    '_createSecureConnector',
  );
  secured._createSecureConnector = function (...of) {
    const connector = connectorOf.apply(this, of);
    const { connectionOptions } = connector as ConnectorInternals;
    if (connectionOptions && isIP(connectionOptions.host ?? '') !== 0) delete connectionOptions.servername;
    return connector;
  };
}
