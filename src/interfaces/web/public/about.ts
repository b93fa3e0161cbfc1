import {
  instanceFacts,
  instanceSettings,
  privacyPolicyOf,
  termsOfService,
  titleOf,
  type InstanceFacts,
} from '../../../../queries/instance/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { calendarDay } from '../../../kernel/time.ts';
import { mailLink, ruleList } from './front.ts';
import { box } from '../design/components.ts';
import { html, trusted, type Html } from '../design/html.ts';
import type { PageResponse, PageRequest } from './page-request.ts';

/*
 * The pages that the instance entity links to: the description of the server, its privacy policy, its terms
 * of service. They are public in limited federation mode too.
 */

export async function showAbout({ ctx }: PageRequest): Promise<PageResponse> {
  const facts = await instanceFacts(ctx);
  const title = titleOf(facts.settings, ctx.instance);
  return { title: 'About', body: box(title, aboutText(facts)) };
}

function aboutText({ settings, rules }: InstanceFacts): Html {
  const { short_description, extended_description, contact_email } = settings;
  return html`${short_description !== '' && html`<p>${short_description}</p>`}
  ${extended_description && trusted(extended_description.content)}
  ${
    rules.length > 0 &&
    html`<h2>Rules</h2>
      ${ruleList(rules)}`
  }
  ${
    contact_email !== '' &&
    html`<h2>Contact</h2>
      ${mailLink(contact_email)}`
  }`;
}

export async function showPrivacyPolicy({ ctx }: PageRequest): Promise<PageResponse> {
  const { content } = privacyPolicyOf(await instanceSettings(ctx.db), ctx.instance);
  const title = 'Privacy policy';
  return { title, body: box(title, trusted(content)) };
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
      html`<p>In effect from ${effective_date}${next}.</p>
        ${trusted(content)}`,
    ),
  };
}
