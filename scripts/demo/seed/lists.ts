import { createAnnouncement } from '#commands/announcements/index.ts';
import { updateEmoji } from '#commands/custom-emojis/index.ts';
import { editRule, publishTerms } from '#commands/instance/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import { days, momentOf } from '../moments.ts';
import { BLOCKED_DOMAINS, DRAFT, RULE_IN_GERMAN, TERMS } from '../texts/server.ts';
import { send, type Town } from './town.ts';

/** Fills the lists that staff keep about other servers and sign-ups, and what they write for everybody. */
export async function keepLists(town: Town, owner: string): Promise<void> {
  const staff = (route: string, daysAgo: number, body: Record<string, unknown>): Promise<unknown> =>
    send(town, owner, route, { ago: days(daysAgo), body });
  for (const [domain, severity, public_comment, daysAgo] of BLOCKED_DOMAINS) {
    await staff('POST /api/v1/admin/domain_blocks', daysAgo, { domain, severity, public_comment });
  }
  await staff('POST /api/v1/admin/domain_allows', 40, { domain: 'millbrook.example' });
  await staff('POST /api/v1/admin/relays', 9, { inbox_url: 'https://relay.millbrook.example/inbox' });
  await staff('POST /api/v1/admin/email_domain_blocks', 30, { domain: 'ten-minutes.example' });
  await staff('POST /api/v1/admin/canonical_email_blocks', 12, { email: 'flood@ten-minutes.example' });
  await staff('POST /api/v1/admin/ip_blocks', 12, {
    ip: '203.0.113.0/24',
    severity: 'sign_up_requires_approval',
    comment: 'A hosting provider; thirty sign-ups in a night',
  });
  const operator = (daysAgo: number): CommandContext =>
    town.acting.operator(momentOf(days(daysAgo), town.end));
  const times = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null };
  await createAnnouncement(operator(1), { text: DRAFT, ...times }, { draft: true });
  await updateEmoji(operator(5), { shortcode: 'inkpot', disabled: true });
  await editRule(operator(20), { id: 1, ...RULE_IN_GERMAN });
  await publishTerms(operator(20), TERMS);
}
