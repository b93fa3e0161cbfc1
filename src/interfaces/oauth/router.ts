import { Router } from 'express';
import { counted } from '../http/fallbacks.ts';
import { sendPreflight, sendReply } from '../http/reply.ts';
import { AuthorizePages } from './authorize.ts';
import type { OAuthDependencies } from './dependencies.ts';
import { authorizationServerMetadata } from './metadata.ts';
import {
  introspectEndpoint,
  revokeEndpoint,
  tokenEndpoint,
  tokenInfoEndpoint,
  userInfoEndpoint,
} from './token-endpoints.ts';

export type { OAuthDependencies } from './dependencies.ts';

/** OAuth 2.0 as in Mastodon: https://docs.joinmastodon.org/methods/oauth/. The router reads bodies itself. */
export function createOAuthRouter(dependencies: OAuthDependencies): Router {
  const { instance, passwordGrant } = dependencies;
  const router = Router();
  router.use('/oauth', counted(dependencies.limitRequest));

  const pages = new AuthorizePages(dependencies);
  router.get('/oauth/authorize', pages.show);
  router.post('/oauth/authorize', pages.submit);
  router.get('/oauth/authorize/native', pages.showCode);

  const userInfo = userInfoEndpoint(dependencies);
  router.post('/oauth/token', tokenEndpoint(dependencies));
  router.post('/oauth/revoke', revokeEndpoint(dependencies));
  router.post('/oauth/introspect', introspectEndpoint(dependencies));
  router.get('/oauth/token/info', tokenInfoEndpoint(dependencies));
  router.get('/oauth/userinfo', userInfo);
  router.post('/oauth/userinfo', userInfo);

  const metadata = authorizationServerMetadata(instance.origin, passwordGrant);
  router.get('/.well-known/oauth-authorization-server', (req, res) =>
    sendReply(req, res, { json: metadata }, { 'Cache-Control': 'public, max-age=300' }),
  );

  for (const path of [
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/introspect',
    '/oauth/token/info',
    '/oauth/userinfo',
    '/.well-known/oauth-authorization-server',
  ]) {
    router.options(path, (_req, res) => sendPreflight(res));
  }
  return router;
}
