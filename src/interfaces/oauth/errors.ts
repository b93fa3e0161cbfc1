import OAuth2Server from 'oauth2-server';
import { bearerChallenge, isRookeryError } from '#kernel/errors.ts';
import { errorReply } from '../http/errors.ts';

export interface OAuthErrorReply {
  status: number;
  body: { error: string; error_description: string };
  headers: Record<string, string>;
  /** An internal error. */
  unexpected?: unknown;
}

/** The texts of Doorkeeper, as in Mastodon, by the names of RFC 6749; the library has others. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
};

/** An error whose description is meant for the user of this request, and is kept. */
export class ExplainedGrantError extends OAuth2Server.InvalidGrantError {}

/**
 * Returns the reply for any error in OAuth's form (RFC 6749 section 5.2), with Mastodon's statuses and texts.
 */
export function oauthErrorReply(error: unknown): OAuthErrorReply {
  const cause = innermost(error);
  if (isRookeryError(cause)) {
    const { status, headers } = errorReply(cause);
    return { status, headers, body: { error: nameOf(status), error_description: cause.message } };
  }
  if (cause instanceof OAuth2Server.OAuthError && !(cause instanceof OAuth2Server.ServerError)) {
    const description = descriptionOf(cause);
    return {
      status: cause instanceof OAuth2Server.InvalidClientError ? 401 : cause.code,
      headers: bearerChallenge(cause.name, description),
      body: { error: cause.name, error_description: description },
    };
  }
  const body = { error: 'server_error', error_description: 'An unexpected error occurred' };
  return { status: 500, headers: {}, body, unexpected: cause };
}

function descriptionOf(error: OAuth2Server.OAuthError): string {
  if (error instanceof ExplainedGrantError) return error.message;
  const missing = /^Missing parameter: `(\w+)`$/.exec(error.message)?.[1];
  if (missing !== undefined) return `Missing required parameter: ${missing}.`;
  return DESCRIPTIONS[error.name] ?? error.message;
}

/** Returns the error of our storage, which the library wraps. */
function innermost(error: unknown): unknown {
  const inner = error instanceof OAuth2Server.ServerError ? (error as { inner?: unknown }).inner : undefined;
  return inner === undefined ? error : innermost(inner);
}

function nameOf(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
