import { type RequestHandler, Router } from 'express';
import type { Reply } from '#kernel/endpoint.ts';
import { knownLocalActor, type LocalActor } from '#queries/federation/index.ts';
import { sendReply } from '../http/reply.ts';
import { showActor, showFeatured, showFeaturedTags, showFollows, showOutbox } from './actors.ts';
import {
  cacheable,
  documentReply,
  type DocumentRequest,
  type DocumentResponse,
  type FederationDependencies,
  queryOf,
  serveDocument,
} from './answer.ts';
import { showAuthorization } from './authorizations.ts';
import { type Described, descriptor, hostMeta, hostMetaJson, parseResource } from './discovery.ts';
import { instanceActorDocument } from './documents/actor.ts';
import { wholeCollection } from './documents/collections.ts';
import { showEmoji } from './emojis.ts';
import {
  showFeatureAuthorization,
  showFeaturedCollection,
  showFeaturedCollections,
  showFeaturedItem,
} from './featured-collections.ts';
import { showSynchronization } from './followers-synchronization.ts';
import { inbox } from './inbox.ts';
import { wantsDocument } from './negotiation.ts';
import { showActivity, showConversation, showPost, showReplies, showTally } from './posts.ts';
import { showQuoteAuthorization } from './quote-authorizations.ts';
import { showTagCollection } from './tags.ts';

export type { FederationDependencies } from './answer.ts';

/** The documents about accounts, their posts and emojis. */
const DOCUMENTS: Record<string, (asked: DocumentRequest) => Promise<DocumentResponse>> = {
  '/users/:username': showActor,
  '/users/:username/outbox': showOutbox,
  '/users/:username/followers': showFollows('followers'),
  '/users/:username/following': showFollows('following'),
  '/users/:username/followers_synchronization': showSynchronization,
  '/users/:username/collections/featured': showFeatured,
  '/users/:username/collections/tags': showFeaturedTags,
  '/users/:username/statuses/:id': showPost,
  '/users/:username/statuses/:id/activity': showActivity,
  '/users/:username/statuses/:id/replies': showReplies,
  '/users/:username/statuses/:id/likes': showTally('likes'),
  '/users/:username/statuses/:id/shares': showTally('shares'),
  '/users/:username/quote_authorizations/:id': showQuoteAuthorization,
  '/users/:username/reply_authorizations/:id': showAuthorization('reply'),
  '/users/:username/like_authorizations/:id/:account': showAuthorization('like'),
  '/users/:username/announce_authorizations/:id': showAuthorization('announce'),
  '/ap/users/:account/featured_collections': showFeaturedCollections,
  '/ap/users/:account/collections/:id': showFeaturedCollection,
  // Older versions gave collections addresses without `users`.
  '/ap/:account/collections/:id': showFeaturedCollection,
  '/ap/users/:account/collection_items/:id': showFeaturedItem,
  '/ap/users/:account/feature_authorizations/:id': showFeatureAuthorization,
  '/contexts/:id': showConversation,
  '/emojis/:shortcode': showEmoji,
};
/** The same documents at the addresses of their pages, for servers that know only those. */
const AT_PAGES: typeof DOCUMENTS = {
  '/@:username': showActor,
  '/@:username/featured': showActor,
  '/@:username/collections': showActor,
  '/@:username/with_replies': showActor,
  '/@:username/media': showActor,
  '/@:username/tagged/:tag': showActor,
  '/@:username/followers': showFollows('followers'),
  '/@:username/following': showFollows('following'),
  '/@:username/:id': showPost,
  '/collections/:id': showFeaturedCollection,
  '/tags/:tag': showTagCollection,
};
/** The page at the same address follows. */
const documentsOnly: RequestHandler = (req, _res, next) =>
  wantsDocument(req.headers.accept) ? next() : next('route');

/**
 * Serves the requests of other servers: https://docs.joinmastodon.org/spec/activitypub/,
 * https://docs.joinmastodon.org/spec/webfinger/
 */
export function createFederationRouter(dependencies: FederationDependencies): Router {
  const { instance, federation } = dependencies;
  const router = Router({ caseSensitive: true });
  // The feed of an account's posts belongs to the pages.
  router.get('/users/:username.rss', (_req, _res, next) => next('router'));
  for (const [path, handler] of Object.entries(DOCUMENTS)) {
    router.get(path, serveDocument(dependencies, handler));
  }
  for (const [path, handler] of Object.entries(AT_PAGES)) {
    router.get(path, documentsOnly, serveDocument(dependencies, handler));
  }
  const receive = inbox(dependencies);
  for (const path of ['/inbox', '/users/:username/inbox', '/actor/inbox']) router.post(path, receive);
  const serve =
    (reply: Reply): RequestHandler =>
    (req, res) =>
      sendReply(req, res, cacheable(reply), {});
  // Public in limited federation mode too: allowed servers must be able to verify our signatures.
  router.get('/actor', serve(documentReply(instanceActorDocument(federation.instanceKey, instance))));
  router.get(
    '/actor/outbox',
    serve(documentReply(wholeCollection(`${instance.origin}/actor/outbox`, 'OrderedCollection', []))),
  );
  router.get(['/.well-known/webfinger', '/.well-known/webfinger.json'], webfinger(dependencies));
  const asXml = serve({
    text: hostMeta(instance),
    headers: { 'Content-Type': 'application/xrd+xml; charset=utf-8', Vary: 'Accept' },
  });
  const asJson = serve({
    json: hostMetaJson(instance),
    headers: { 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept' },
  });
  router.get('/.well-known/host-meta', (req, res, next) =>
    (/^application\/json\b/i.test(req.headers.accept ?? '') ? asJson : asXml)(req, res, next),
  );
  router.get('/.well-known/host-meta.xml', asXml);
  router.get('/.well-known/host-meta.json', asJson);
  return router;
}

/** RFC 7033, for any origin (section 5). */
function webfinger({ instance, limit, context }: FederationDependencies): RequestHandler {
  return async (req, res) => {
    await limit(req);
    const query = queryOf(req);
    const resource = parseResource(query, instance);
    const ctx = context(req);
    const subject =
      resource.kind === 'instance'
        ? { username: instance.domain, uri: `${instance.origin}/actor`, url: `${instance.origin}/` }
        : described(await knownLocalActor(ctx.db, resource.username));
    const headers = { 'Content-Type': 'application/jrd+json; charset=utf-8' };
    const reply: Reply = { json: descriptor(subject, query, instance), headers };
    sendReply(req, res, cacheable(reply), {});
  };
}

/** A suspended account is described by its name only. */
const described = ({ username, uri, url, suspended, profile }: LocalActor): Described => ({
  username,
  uri,
  url,
  avatar: suspended ? undefined : profile.avatar?.original,
});
