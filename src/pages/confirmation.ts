import { Router, type Request, type Response } from 'express';
import { confirm } from '../../commands/accounts/index.ts';
import { signUpApplication } from '../../queries/accounts/index.ts';
import type { CommandContext } from '../kernel/context.ts';
import { isRookeryError } from '../kernel/errors.ts';
import { sendPage } from './layout.ts';

export interface PageDependencies {
  /** A context in the name of nobody. */
  context: (req: Request) => CommandContext;
  /** Counts the request. @throws RookeryError `too_many_requests` */
  limit: (req: Request) => Promise<unknown>;
}

/** `GET /auth/confirmation`: where the link of the confirmation mail leads. Whoever holds it may confirm. */
export function createConfirmationRouter({ context, limit }: PageDependencies): Router {
  const router = Router();
  router.get('/auth/confirmation', async (req, res) => {
    // The token is in the address: it must not travel on, nor be kept.
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    try {
      await limit(req);
      await answer(context(req), tokenOf(req), res);
    } catch (error) {
      if (!isRookeryError(error)) throw error;
      sendFailure(res, error.code);
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
  sendPage(
    res,
    200,
    'Confirmed',
    '<p>Your e-mail address is confirmed. You can go back to your app and sign in.</p>',
  );
}

/** Longer ones are none of ours. */
const MAX_TOKEN = 200;

function tokenOf({ url }: Request): string {
  const token = URL.parse(url, 'http://localhost')?.searchParams.get('confirmation_token') ?? '';
  return token.length <= MAX_TOKEN ? token : '';
}

function sendFailure(res: Response, code: string): void {
  switch (code) {
    case 'too_many_requests':
      sendPage(res, 429, 'Too many requests', '<p>Please wait a few minutes and open the link again.</p>');
      return;
    case 'unavailable':
    case 'conflict':
      res.set('Retry-After', '5');
      sendPage(
        res,
        503,
        'Not now',
        '<p>Please wait a moment, ask your app for a new link and open that one.</p>',
      );
      return;
    default:
      sendPage(
        res,
        410,
        'This link does not work any more',
        '<p>It is too old, or was made for another address. Your app can send you a new one.</p>',
      );
  }
}
