import { notFound } from '#kernel/errors.ts';
import { memoizeAsync } from '#kernel/memoize-async.ts';
import { siteOf } from '../page/frame.ts';
import { homeOf } from '../page/layout.ts';
import { userPage, type WebPage } from '../page/page.ts';
import { showAbout, showPrivacyPolicy, showTerms } from '../public/about.ts';
import { showCollectionPage } from '../public/collection.ts';
import type { PageRequest, PageResponse } from '../public/page-request.ts';

/** Shows a public page to signed-in users with their navigation. */
const withNavigation = (path: string, make: (request: PageRequest) => Promise<PageResponse>): WebPage =>
  userPage({
    path,
    orPublic: true,
    show: async ({ ctx, params, query }) => {
      const answer = await make({ ctx, params, query, site: memoizeAsync(() => siteOf(ctx)) });
      if ('feed' in answer) throw notFound();
      return answer;
    },
  });

/** The front page of signed-in users is their home. */
const frontPage = userPage({ path: '/', orPublic: true, show: ({ user }) => ({ redirect: homeOf(user) }) });

/** The public pages of this server, for signed-in users. */
export const serverPages: readonly WebPage[] = [
  frontPage,
  withNavigation('/about', showAbout),
  withNavigation('/privacy-policy', showPrivacyPolicy),
  withNavigation('/terms-of-service', showTerms),
  withNavigation('/terms-of-service/:date', showTerms),
  withNavigation('/collections/:id', showCollectionPage),
];
