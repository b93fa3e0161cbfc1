import type { CommandContext } from '../../src/kernel/context.ts';
import { tagReviewMail } from '../../src/mail/templates.ts';
import { mailStaff } from './mail-staff.ts';

/**
 * Mails the staff who may decide about hashtags: once for all that begin to trend at the same moment.
 * @throws as `mailStaff`
 */
export async function mailTagReview(
  ctx: CommandContext,
  { name, among }: { name: string; among: readonly string[] },
): Promise<void> {
  if (among.length > 0 && among[0] !== name) return;
  const { domain, origin } = ctx.instance;
  const tags = (among.length > 0 ? among : [name]).map((each) => ({
    name: each,
    link: `${origin}/tags/${encodeURIComponent(each)}`,
  }));
  await mailStaff(ctx, 'manage_taxonomies', tagReviewMail({ domain, tags }));
}
