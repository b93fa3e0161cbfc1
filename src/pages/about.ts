import { Router, type Request, type Response } from 'express';
import { instanceFacts, instanceSettings, termsOfService } from '../../queries/instance/index.ts';
import type { CommandContext } from '../kernel/context.ts';
import { isRookeryError, notFound } from '../kernel/errors.ts';
import { escapeHtml } from '../kernel/html.ts';
import { calendarDay } from '../kernel/time.ts';
import type { PageDependencies } from './confirmation.ts';
import { sendPage } from './layout.ts';

/** The pages that the instance entity links to: what the server says of itself, its privacy policy, its terms of service. */
export function createAboutRouter({ context, limit }: PageDependencies): Router {
  const router = Router();
  const page =
    (make: (ctx: CommandContext, req: Request) => Promise<{ title: string; content: string }>) =>
    async (req: Request, res: Response): Promise<void> => {
      try {
        await limit(req);
        const { title, content } = await make(context(req), req);
        sendPage(res, 200, title, content);
      } catch (error) {
        if (!isRookeryError(error)) throw error;
        if (error.code === 'too_many_requests')
          sendPage(res, 429, 'Too many requests', '<p>Please wait.</p>');
        else sendPage(res, 404, 'Not found', '<p>There is no such page.</p>');
      }
    };
  router.get('/about', page(about));
  router.get('/privacy-policy', page(privacyPolicy));
  router.get(
    '/terms-of-service',
    page((ctx) => terms(ctx)),
  );
  router.get(
    '/terms-of-service/:date',
    page((ctx, { params }) => terms(ctx, params['date'])),
  );
  // Apps of today still link to where these pages were.
  router.get('/about/more', (_req, res) => res.redirect(301, '/about'));
  router.get('/terms', (_req, res) => res.redirect(301, '/privacy-policy'));
  return router;
}

async function about(ctx: CommandContext): Promise<{ title: string; content: string }> {
  const { settings, rules } = await instanceFacts(ctx);
  const { short_description, extended_description, contact_email } = settings;
  const parts = [
    short_description && `<p>${escapeHtml(short_description)}</p>`,
    extended_description?.content,
    rules.length > 0 && `<h2>Rules</h2><ol>${rules.map(ruleItem).join('')}</ol>`,
    contact_email &&
      `<h2>Contact</h2><p><a href="mailto:${escapeHtml(contact_email)}">${escapeHtml(contact_email)}</a></p>`,
  ];
  return {
    title: escapeHtml(settings.title || ctx.instance.domain),
    content: parts.filter(Boolean).join(''),
  };
}

const ruleItem = ({ text, hint }: { text: string; hint: string }): string =>
  `<li>${escapeHtml(text)}${hint && `<br>${escapeHtml(hint)}`}</li>`;

async function privacyPolicy(ctx: CommandContext): Promise<{ title: string; content: string }> {
  const { privacy_policy } = await instanceSettings(ctx.db);
  if (!privacy_policy) throw notFound();
  return { title: 'Privacy policy', content: privacy_policy.content };
}

async function terms(ctx: CommandContext, date?: unknown): Promise<{ title: string; content: string }> {
  const day = calendarDay.optional().safeParse(date);
  if (!day.success) throw notFound();
  const { content, effective_date, succeeded_by } = await termsOfService(ctx, day.data);
  const next =
    succeeded_by &&
    ` until they are replaced on <a href="/terms-of-service/${succeeded_by}">${succeeded_by}</a>`;
  return {
    title: 'Terms of service',
    content: `<p>In effect from ${effective_date}${next ?? ''}.</p>${content}`,
  };
}
