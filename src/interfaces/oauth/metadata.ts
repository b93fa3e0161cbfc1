import { scopeNames } from '#mastodon/scopes.ts';
import { RESPONSE_MODES } from './authorization-request.ts';
import { grantTypes } from './model.ts';

/**
 * Returns the metadata of this authorization server (RFC 8414), with Mastodon's `app_registration_endpoint`.
 */
export const authorizationServerMetadata = (origin: string, passwordGrant: boolean) => ({
  issuer: `${origin}/`,
  service_documentation: 'https://docs.joinmastodon.org/',
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  app_registration_endpoint: `${origin}/api/v1/apps`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  userinfo_endpoint: `${origin}/oauth/userinfo`,
  scopes_supported: scopeNames,
  response_types_supported: ['code'],
  response_modes_supported: RESPONSE_MODES,
  code_challenge_methods_supported: ['S256'],
  grant_types_supported: grantTypes(passwordGrant),
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
});
