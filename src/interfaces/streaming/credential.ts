import type { IncomingMessage } from 'node:http';
import { hashSecret } from '../oauth/secrets.ts';

/** How a client was admitted, and may be again: by an access token, or by the session of a browser. */
export type Credential = { bearer: string; tokenHash: string } | { sessionId: string };

/** Returns the access token of a request, which is empty without one. */
export function tokenOf(req: IncomingMessage, query: Record<string, unknown>): Credential {
  const bearer = bearerOf(req, query);
  return { bearer, tokenHash: hashSecret(bearer).toString('base64') };
}

/**
 * Returns the token: from the header, like the REST API; or the query; or, from browsers, the name of the
 * protocol. Empty without a token.
 */
function bearerOf({ headers }: IncomingMessage, query: Record<string, unknown>): string {
  const { authorization, 'sec-websocket-protocol': protocol } = headers;
  if (authorization !== undefined) return /^Bearer +([^\s]{1,512})$/i.exec(authorization)?.[1] ?? '';
  const parameter = query['access_token'];
  if (typeof parameter === 'string' && parameter !== '') return parameter;
  return protocol?.split(',')[0]?.trim() ?? '';
}
