import { z } from 'zod';
import { formBoolean } from '#kernel/input.ts';
import type { Db } from '#kernel/read.ts';
import { splitScopes } from '#mastodon/scopes.ts';
import { allowsRedirect, findClient, OUT_OF_BAND } from './clients.ts';
import { permittedScopes } from './model.ts';
import type { ConsentedRequest } from './server.ts';

/**
 * The ways in which the answer gets to the redirect URI:
 * https://openid.net/specs/oauth-v2-form-post-response-mode-1_0.html
 */
export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const;
type ResponseMode = (typeof RESPONSE_MODES)[number];

const text = (max: number) => z.string().max(max).optional();
const schema = z.object({
  client_id: text(200),
  redirect_uri: text(2_000),
  response_type: text(50),
  response_mode: text(50),
  scope: text(5_000),
  state: text(5_000),
  code_challenge: text(200),
  code_challenge_method: text(50),
  force_login: text(10),
  lang: text(35),
});

/** A checked request of https://docs.joinmastodon.org/methods/oauth/#authorize */
export interface AuthorizationRequest extends ConsentedRequest {
  state: string | undefined;
  responseMode: ResponseMode;
  /** As the client sent them, for the forms of the pages, without `force_login`. */
  parameters: Record<string, string>;
  forceLogin: boolean;
}

/** A request that cannot be granted, with the reason for the user. */
export interface BadRequest {
  problem: string;
}

/**
 * Checks an authorization request. Errors are shown to the user and never sent to the redirect URI: everyone
 * may register an app, so this server would be an open redirector (RFC 9700 section 4.11.2).
 */
export async function readAuthorizationRequest(
  db: Db,
  fields: unknown,
): Promise<AuthorizationRequest | BadRequest> {
  const parsed = schema.safeParse(fields);
  if (!parsed.success) return { problem: `The parameter ${nameOf(parsed.error)} is malformed or too long.` };
  const { force_login, ...parameters } = parsed.data;

  const client = await findClient(db, parameters.client_id ?? '');
  if (!client) return { problem: 'This app is unknown here (client_id).' };
  const redirectUri = parameters.redirect_uri ?? '';
  if (!allowsRedirect(client, redirectUri)) {
    return { problem: 'The redirect URI is not one that the app registered (redirect_uri).' };
  }
  if (parameters.response_type !== 'code') {
    return { problem: 'This server does not support the response type (response_type).' };
  }
  const responseMode = RESPONSE_MODES.find((mode) => mode === (parameters.response_mode || 'query'));
  if (!responseMode) return { problem: 'This server does not support the response mode (response_mode).' };
  const scopes = permittedScopes(client, splitScopes(parameters.scope ?? ''));
  if (!scopes)
    return { problem: 'The app asks for more than it registered, or for what does not exist (scope).' };
  const problem = challengeProblem(parameters.code_challenge, parameters.code_challenge_method);
  if (problem !== undefined) return { problem };

  return {
    client,
    redirectUri,
    scopes,
    codeChallenge: parameters.code_challenge || undefined,
    state: parameters.state,
    responseMode,
    parameters: JSON.parse(JSON.stringify(parameters)) as Record<string, string>,
    forceLogin: formBoolean.parse(force_login ?? '') === true,
  };
}

type Answered = Pick<AuthorizationRequest, 'redirectUri' | 'state' | 'responseMode'>;

/** Returns the fields of an answer; `state` is returned unchanged. */
export const answerFields = (
  { state }: Pick<Answered, 'state'>,
  answer: Record<string, string>,
): Record<string, string> => ({ ...answer, ...(state === undefined ? {} : { state }) });

/**
 * Returns the address that the browser opens with the answer (RFC 6749 section 4.1.2). The registered URI
 * keeps its own query.
 */
export function redirectWith(request: Answered, answer: Record<string, string>): string {
  const { redirectUri, responseMode } = request;
  if (redirectUri === OUT_OF_BAND && answer['code'] !== undefined) {
    return `/oauth/authorize/native?${new URLSearchParams({ code: answer['code'] }).toString()}`;
  }
  const parameters = new URLSearchParams(answerFields(request, answer)).toString();
  if (responseMode === 'fragment') return `${redirectUri}#${parameters}`;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}

/** Checks PKCE (RFC 7636), of which only S256 is secure. A missing method means `plain`. */
function challengeProblem(challenge = '', method = ''): string | undefined {
  if (challenge === '' && method === '') return undefined;
  if (method !== 'S256') return 'Only S256 is supported for PKCE (code_challenge_method).';
  return /^[\w-]{43}$/.test(challenge) ? undefined : 'The PKCE challenge is malformed (code_challenge).';
}

const nameOf = (error: z.ZodError): string => error.issues[0]?.path.join('.') ?? '';
