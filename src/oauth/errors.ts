import OAuth2Server from 'oauth2-server';
import { errorReply } from '../http/errors.ts';
import { isRookeryError } from '../kernel/errors.ts';

export interface OAuthErrorReply {
  status: number;
  body: { error: string; error_description: string };
  headers: Record<string, string>;
  /** Nobody outside caused it. */
  unexpected?: unknown;
}

/** Any failure in OAuth's form (RFC 6749 section 5.2), with Mastodon's numbers. */
export function oauthErrorReply(error: unknown): OAuthErrorReply {
  const cause = innermost(error);
  if (isRookeryError(cause)) {
    const { status, headers } = errorReply(cause);
    return { status, headers, body: { error: nameOf(status), error_description: cause.message } };
  }
  if (cause instanceof OAuth2Server.OAuthError && !(cause instanceof OAuth2Server.ServerError)) {
    const isClient = cause instanceof OAuth2Server.InvalidClientError;
    return {
      status: isClient ? 401 : cause.code,
      headers: isClient ? { 'WWW-Authenticate': 'Basic realm="Rookery"' } : {},
      body: { error: cause.name, error_description: cause.message },
    };
  }
  const body = { error: 'server_error', error_description: 'An unexpected error occurred' };
  return { status: 500, headers: {}, body, unexpected: cause };
}

/** The library wraps what our storage throws. */
function innermost(error: unknown): unknown {
  const inner = error instanceof OAuth2Server.ServerError ? (error as { inner?: unknown }).inner : undefined;
  return inner === undefined ? error : innermost(inner);
}

function nameOf(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
