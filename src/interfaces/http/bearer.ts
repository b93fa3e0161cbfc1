import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '#kernel/endpoint.ts';
import { NOTHING, parseBody, type ParsedBody } from './bodies.ts';

/** The parameters that may contain a token: that of RFC 6750, and Mastodon's other name for it. */
export const TOKEN_PARAMETERS = ['access_token', 'bearer_token'] as const;

/**
 * Returns the token in the header or the query: media elements of browsers and old clients send no header.
 */
export function bearerOf(req: IncomingMessage, query: Record<string, unknown>): string | undefined {
  const header = req.headers.authorization;
  if (header !== undefined) return /^Bearer +([^\s]{1,512})$/i.exec(header)?.[1] ?? '';
  return bearerIn(query);
}

function bearerIn(parameters: Record<string, unknown>): string | undefined {
  for (const name of TOKEN_PARAMETERS) {
    const value = parameters[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/**
 * Returns the token in a form or in JSON; a body that cannot be read contains none. Files are accepted from
 * authenticated callers only. `isRead`: the body is read also where the endpoint has none.
 */
export async function bearerInBody(
  { method, body: schema, files }: Endpoint,
  req: IncomingMessage,
  { body, isRead }: { body: () => Promise<ParsedBody>; isRead: boolean },
): Promise<string | undefined> {
  if (method === 'GET' || (files && isMultipart(req))) return undefined;
  const { fields } = await (schema || isRead ? body() : parseBody(req)).catch(() => NOTHING);
  return bearerIn(fields);
}

const isMultipart = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.toLowerCase().startsWith('multipart/') === true;
