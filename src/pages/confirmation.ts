import { Router, type Request, type Response } from 'express';
import { confirm } from '../../commands/accounts/index.ts';
import { signUpApplication } from '../../queries/accounts/index.ts';
import type { CommandContext, Instance } from '../kernel/context.ts';
import { isRookeryError } from '../kernel/errors.ts';
import { box } from './about.ts';
import { bareSite } from './frame.ts';
import { html } from './html.ts';
import { sendPage } from './page-reply.ts';
import type { PageDependencies } from './router.ts';

/** `GET /auth/confirmation`: where the link of the confirmation mail leads. Whoever holds it may confirm. */
export function createConfirmationRouter({ instance, context, limit }: PageDependencies): Router {
  const router = Router();
  router.get('/auth/confirmation', async (req, res) => {
    // The token is in the address: it must not travel on, nor be kept.
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    try {
      await limit(req);
      await answer(context(req), tokenOf(req), res);
    } catch (error) {
      if (!isRookeryError(error)) throw error;
      sendFailure(res, instance, error.code);
    }
  });
  return router;
}

async function answer(ctx: CommandContext, token: string, res: Response): Promise<void> {
  const { isNew, applicationId } = await confirm(ctx, token);
  const application =
    isNew && applicationId !== null ? await signUpApplication(ctx.db, applicationId) : undefined;
  if (application?.page !== undefined) {
    res.redirect(303, application.page);
    return;
  }
  const text = 'Your e-mail address is confirmed. You can go back to your app and sign in.';
  sendText(res, ctx.instance, { status: 200, title: 'Confirmed', text });
}

function sendText(
  res: Response,
  instance: Instance,
  { status, title, text }: { status: number; title: string; text: string },
): void {
  const page = { title, hidden: true, body: box(title, html`<p>${text}</p>`) };
  sendPage(res, { page, site: bareSite(instance), instance, status });
}

/** Longer ones are none of ours. */
const MAX_TOKEN = 200;

function tokenOf({ url }: Request): string {
  const token = URL.parse(url, 'http://localhost')?.searchParams.get('confirmation_token') ?? '';
  return token.length <= MAX_TOKEN ? token : '';
}

function sendFailure(res: Response, instance: Instance, code: string): void {
  switch (code) {
    case 'too_many_requests':
      return sendText(res, instance, {
        status: 429,
        title: 'Too many requests',
        text: 'Please wait a few minutes and open the link again.',
      });
    case 'unavailable':
    case 'conflict':
      res.set('Retry-After', '5');
      return sendText(res, instance, {
        status: 503,
        title: 'Not now',
        text: 'Please wait a moment, ask your app for a new link and open that one.',
      });
    default:
      return sendText(res, instance, {
        status: 410,
        title: 'This link does not work any more',
        text: 'It is too old, or was made for another address. Your app can send you a new one.',
      });
  }
}
