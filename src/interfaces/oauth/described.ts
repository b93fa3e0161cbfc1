import { z } from 'zod';
import type { DescribedEndpoint } from '../http/openapi/index.ts';

const text = (maxLength: number) => z.string().max(maxLength);

const clientId = text(200).describe('The client ID of the application.');
const clientSecret = text(10_000).describe('The client secret of the application.');
const redirectUri = text(2_000).describe('A redirect URI that the application registered.');
const scope = text(5_000).describe('The scopes asked for, separated by spaces.');

const authorizeQuery = z.object({
  response_type: z.literal('code').describe('The kind of grant, always `code`.'),
  client_id: clientId,
  redirect_uri: redirectUri,
  scope: scope.optional(),
  response_mode: z
    .enum(['query', 'fragment', 'form_post'])
    .optional()
    .describe('How the code comes to the redirect URI: `query` by default.'),
  state: text(5_000).optional().describe('A text that comes back unchanged with the code.'),
  code_challenge: text(200).optional().describe('The PKCE challenge that the code verifier must match.'),
  code_challenge_method: z.literal('S256').optional().describe('The method of the PKCE challenge.'),
  force_login: text(10).optional().describe('Whether the user must sign in again.'),
  lang: text(35).optional().describe('The language of the page.'),
});

const tokenBody = z.object({
  grant_type: text(100).describe('The kind of grant: `authorization_code` or `client_credentials`.'),
  code: text(10_000).optional().describe('The code from the authorization page.'),
  client_id: clientId.optional(),
  client_secret: clientSecret.optional(),
  redirect_uri: redirectUri.optional(),
  code_verifier: text(10_000).optional().describe('The PKCE verifier that belongs to the challenge.'),
  scope: scope.optional(),
});

const revokeBody = z.object({
  token: text(10_000).describe('The access token to revoke.'),
  client_id: clientId.optional(),
  client_secret: clientSecret.optional(),
});

const introspectBody = z.object({
  token: text(10_000).optional().describe('The access token to ask about.'),
  client_id: clientId.optional(),
  client_secret: clientSecret.optional(),
});

const claims = z.strictObject({
  iss: z.string(),
  sub: z.string(),
  name: z.string(),
  preferred_username: z.string(),
  profile: z.string(),
  picture: z.string(),
});

const userInfo = {
  path: '/oauth/userinfo',
  summary: 'Claims about the user of the token',
  auth: 'user',
  scopes: ['profile'],
  reply: claims,
} as const;

/** The OAuth paths for the OpenAPI document. Express serves them, so no endpoint value declares them. */
export const oauthEndpoints: readonly DescribedEndpoint[] = [
  {
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'Show the page where a user authorizes an application',
    auth: 'public',
    scopes: [],
    query: authorizeQuery,
    reply: z.string(),
    contentType: 'text/html',
    errors: [400],
  },
  {
    method: 'POST',
    path: '/oauth/token',
    summary: 'Obtain an access token',
    auth: 'public',
    scopes: [],
    body: tokenBody,
    reply: z.object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      scope: z.string(),
      created_at: z.int(),
    }),
    errors: [400, 401],
  },
  {
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'Revoke an access token',
    auth: 'public',
    scopes: [],
    body: revokeBody,
    reply: z.strictObject({}),
    errors: [403],
  },
  {
    method: 'POST',
    path: '/oauth/introspect',
    summary: 'Ask whether an access token is valid',
    auth: 'public',
    scopes: [],
    body: introspectBody,
    reply: z.looseObject({ active: z.boolean() }),
    errors: [400, 401],
  },
  {
    method: 'GET',
    path: '/oauth/token/info',
    summary: 'Describe the access token of the request',
    auth: 'app',
    scopes: [],
    reply: z.strictObject({
      resource_owner_id: z.number().nullable(),
      scope: z.array(z.string()),
      expires_in: z.null(),
      application: z.strictObject({ uid: z.string() }),
      created_at: z.int(),
    }),
  },
  { method: 'GET', ...userInfo },
  { method: 'POST', ...userInfo },
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Describe the authorization server, as RFC 8414 has it',
    auth: 'public',
    scopes: [],
    reply: z.looseObject({ issuer: z.string() }),
  },
];
