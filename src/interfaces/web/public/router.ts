import { type Request, type RequestHandler, type Response, Router } from 'express';
import { documentLink, wantsDocument, wantsFeed } from '#interfaces/federation/negotiation.ts';
import { sendRedirect } from '#interfaces/http/redirect.ts';
import type { Instance, RequestContext } from '#kernel/context.ts';
import { memoizeAsync } from '#kernel/memoize-async.ts';
import { failurePage } from '../page/failure.ts';
import { bareSite, siteOf } from '../page/frame.ts';
import { ownPath } from '../page/own-path.ts';
import { sendPage } from '../page/page-reply.ts';
import { sendCacheable } from '../page/send.ts';
import { showAbout, showPrivacyPolicy, showTerms } from './about.ts';
import { showCollectionPage } from './collection.ts';
import { feedOfHashtag, feedOfMedia, feedOfPosts, feedOfTagged, feedWithReplies } from './feed.ts';
import { showFollowers, showFollowing } from './follows.ts';
import { showFront } from './front.ts';
import { showHashtag } from './hashtag.ts';
import { sendManifest } from './manifest.ts';
import type { PageRequest, PageResponse } from './page-request.ts';
import { showPost } from './post.ts';
import { showMedia, showProfile, showTagged, showWithReplies } from './profile.ts';

export interface PageDependencies {
  instance: Instance;
  /** Returns a context without a user. */
  context: (req: Request) => RequestContext;
  /** Counts the request. @throws RookeryError `too_many_requests` */
  limit: (req: Request) => Promise<unknown>;
}

/** The pages for browsers and feed readers. */
const PAGES: Record<string, (request: PageRequest) => Promise<PageResponse>> = {
  '/': showFront,
  '/about': showAbout,
  '/privacy-policy': showPrivacyPolicy,
  '/terms-of-service': showTerms,
  '/terms-of-service/:date': showTerms,
  '/tags/:tag.rss': feedOfHashtag,
  '/tags/:tag': showHashtag,
  '/collections/:id': showCollectionPage,
  '/users/:name.rss': feedOfPosts,
  '/@:name.rss': feedOfPosts,
  '/@:name/with_replies.rss': feedWithReplies,
  '/@:name/media.rss': feedOfMedia,
  '/@:name/tagged/:tag.rss': feedOfTagged,
  '/@:name': showProfile,
  '/@:name/with_replies': showWithReplies,
  '/@:name/media': showMedia,
  '/@:name/tagged/:tag': showTagged,
  '/@:name/followers': showFollowers,
  '/@:name/following': showFollowing,
  '/@:name/:id': showPost,
};

/** The feeds of pages, for readers that ask for RSS. */
const FEEDS: Readonly<Record<string, (request: PageRequest) => Promise<PageResponse>>> = {
  '/tags/:tag': feedOfHashtag,
  '/@:name': feedOfPosts,
  '/@:name/with_replies': feedWithReplies,
  '/@:name/media': feedOfMedia,
  '/@:name/tagged/:tag': feedOfTagged,
};

/** Addresses that apps still use, and the present ones. */
const MOVED = { '/about/more': '/about', '/terms': '/privacy-policy' };

/** Paths that Mastodon's web client had below `/web`, as apps still open them. */
const OF_WEB_CLIENT = ['/web', '/web/*path'];
/** Lists that only the web client shows. */
const LISTS = ['/@:name/featured', '/@:name/collections'];
/** Pages that have the same address without `/web`. */
const SAME_PAGE =
  /^\/web(\/(?:(?:@|tags\/)[\w@.%/-]+|(?:home|public|explore|notifications|conversations|favourites|bookmarks|lists|follow_requests|blocks|mutes|domain_blocks|followed_tags|search|publish)(?:\/[\w/-]+)?))$/;
/** Pages of its oldest versions, which are elsewhere now. */
const SINCE_MOVED: Readonly<Record<string, string>> = {
  '/web/timelines/home': '/home',
  '/web/timelines/public': '/public',
  '/web/timelines/public/local': '/public/local',
  '/web/timelines/direct': '/conversations',
  '/web/statuses/new': '/publish',
};

/** Creates the pages of this server, without any script. Requests for a document are passed on. */
export function createPagesRouter(dependencies: PageDependencies): Router {
  const router = Router({ caseSensitive: true });
  for (const path of LISTS) {
    router.get(path, forReaders, (req, res) => sendRedirect(res, 302, `/${req.path.split('/')[1] ?? ''}`));
  }
  for (const [path, make] of Object.entries(PAGES)) {
    const feed = FEEDS[path];
    if (feed) router.get(path, forFeedReaders, answering(dependencies, feed));
    router.get(path, forReaders, answering(dependencies, make));
  }
  for (const [path, now] of Object.entries(MOVED))
    router.get(path, (_req, res) => sendRedirect(res, 301, now));
  router.get('/manifest', sendManifest(dependencies));
  for (const path of OF_WEB_CLIENT) {
    router.get(path, (req, res) =>
      sendRedirect(
        res,
        302,
        (Object.hasOwn(SINCE_MOVED, req.path) ? SINCE_MOVED[req.path] : undefined) ??
          SAME_PAGE.exec(req.path)?.[1] ??
          '/',
      ),
    );
  }
  return router;
}

const forReaders: RequestHandler = (req, _res, next) =>
  wantsDocument(req.headers.accept) ? next('router') : next();

const forFeedReaders: RequestHandler = (req, _res, next) =>
  wantsFeed(req.headers.accept) ? next() : next('route');

/** Seconds for which caches may keep public pages: when a post spreads, many servers fetch it at once. */
const PAGE_AGE = 15;
const FEED_AGE = 60;
const forEverybody = (seconds: number) => ({ 'Cache-Control': `public, max-age=${seconds}` });
/** Documents have the same addresses, and so have the pages of signed-in users. */
const VARY = { Vary: 'Accept, Cookie' };
const FEED_VARY = { Vary: 'Accept' };

const answering =
  (
    { instance, context, limit }: PageDependencies,
    make: (request: PageRequest) => Promise<PageResponse>,
  ): RequestHandler =>
  async (req, res) => {
    const ctx = context(req);
    const site = memoizeAsync(() => siteOf(ctx));
    try {
      await limit(req);
      const answer = await make({
        ctx,
        site,
        params: req.params as Record<string, string>,
        query: URL.parse(req.url, 'http://localhost')?.searchParams ?? new URLSearchParams(),
      });
      if ('redirect' in answer) {
        res.set({ ...VARY, 'Cache-Control': 'no-store' });
        sendRedirect(res, 302, answer.redirect);
      } else if ('feed' in answer) sendFeed(res, answer);
      else {
        const { documentUri } = answer;
        const headers = {
          ...VARY,
          ...forEverybody(PAGE_AGE),
          ...(documentUri === undefined ? {} : { Link: documentLink(documentUri) }),
        };
        sendPage(res, { page: answer, site: await site(), instance, headers });
      }
    } catch (error) {
      const failure = failurePage(error, { isUser: false, here: ownPath(req.url) });
      if (!failure) throw error;
      const { page, status } = failure;
      const headers = { ...VARY, ...failure.headers };
      // Nothing is read for visitors who ask too much, nor while the database fails.
      const shown = status < 429 ? await site() : bareSite(instance);
      sendPage(res, { page, site: shown, instance, status, headers });
    }
  };

function sendFeed(res: Response, { feed, hidden }: { feed: string; hidden: boolean }): void {
  const headers = {
    ...FEED_VARY,
    ...forEverybody(FEED_AGE),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    ...(hidden ? { 'X-Robots-Tag': 'noindex' } : {}),
    'Content-Type': 'application/rss+xml; charset=utf-8',
  };
  sendCacheable(res, 200, headers, feed);
}
