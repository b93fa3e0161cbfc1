import { notFound } from '#kernel/errors.ts';
import { calendarDay } from '#kernel/time.ts';
import {
  appsOf,
  instanceFacts,
  instanceSettings,
  privacyPolicyOf,
  termsOfService,
  titleOf,
} from '#queries/instance/index.ts';
import { box } from '../design/components.ts';
import { html, trusted } from '../design/html.ts';
import { strangersView } from '../entities/view.ts';
import { appList } from './app-list.ts';
import type { PageRequest, PageResponse } from './page-request.ts';
import { contactOf, figuresOf, ruleList, titledBox } from './server-parts.ts';

/*
 * The pages that the instance entity links to: the description of the server, its privacy policy, its terms
 * of service. They are public in limited federation mode too.
 */

export async function showAbout({ ctx }: PageRequest): Promise<PageResponse> {
  const facts = await instanceFacts(ctx);
  const { settings, rules, hasTerms } = facts;
  const { short_description, extended_description } = settings;
  const summary = html`${short_description !== '' && html`<p class="lead" dir="auto">${short_description}</p>`}
  ${figuresOf(facts, ctx.instance)}`;
  const texts = html`<ul class="people">
    <li><a href="/privacy-policy">Privacy policy</a></li>
    ${hasTerms && html`<li><a href="/terms-of-service">Terms of service</a></li>`}
  </ul>`;
  return {
    title: 'About',
    body: html`${box(titleOf(settings, ctx.instance), summary)}
    ${extended_description && titledBox('about', 'About this server', html`<div class="content">${trusted(extended_description.content)}</div>`)}
    ${titledBox('rules', 'Rules', rules.length > 0 && ruleList(rules))}
    ${titledBox('contact', 'Contact', contactOf(facts, strangersView(ctx)))}
    ${titledBox('texts', 'Privacy and terms', texts)}
    ${titledBox('apps', 'Apps', appList(appsOf(settings, ctx.instance)))}`,
  };
}

export async function showPrivacyPolicy({ ctx }: PageRequest): Promise<PageResponse> {
  const { content } = privacyPolicyOf(await instanceSettings(ctx.db), ctx.instance);
  const title = 'Privacy policy';
  return { title, body: box(title, html`<div class="content">${trusted(content)}</div>`) };
}

/** The terms in force, or those of the day in the path. */
export async function showTerms({ ctx, params }: PageRequest): Promise<PageResponse> {
  const day = calendarDay.optional().safeParse(params['date']);
  if (!day.success) throw notFound();
  const { content, effective_date, succeeded_by } = await termsOfService(ctx, day.data);
  const next =
    succeeded_by &&
    html` until they are replaced on <a href="/terms-of-service/${succeeded_by}">${succeeded_by}</a>`;
  const title = 'Terms of service';
  return {
    title,
    body: box(
      title,
      html`<p class="quiet">In effect from ${effective_date}${next}.</p>
        <div class="content">${trusted(content)}</div>`,
    ),
  };
}
