import type { Request, RequestHandler } from 'express';
import type { Instance, RequestContext } from '#kernel/context.ts';
import { instanceFacts, titleOf } from '#queries/instance/index.ts';

interface Dependencies {
  instance: Instance;
  context: (req: Request) => RequestContext;
  limit: (req: Request) => Promise<unknown>;
}

/** Sends the web app manifest: https://www.w3.org/TR/appmanifest/ */
export const sendManifest =
  ({ instance, context, limit }: Dependencies): RequestHandler =>
  async (req, res) => {
    await limit(req);
    const { settings } = await instanceFacts(context(req));
    const title = titleOf(settings, instance);
    const icons = settings.icon.map(({ size, key }) => ({
      src: `${instance.mediaOrigin}/${key}`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    }));
    const json = {
      id: '/home',
      name: title,
      short_name: title,
      icons,
      display: 'standalone',
      start_url: '/',
      scope: '/',
      share_target: {
        url_template: 'share?title={title}&text={text}&url={url}',
        action: 'share',
        method: 'GET',
        enctype: 'application/x-www-form-urlencoded',
        params: { title: 'title', text: 'text', url: 'url' },
      },
    };
    res.set({ 'Cache-Control': 'public, max-age=180', 'X-Content-Type-Options': 'nosniff' }).json(json);
  };
