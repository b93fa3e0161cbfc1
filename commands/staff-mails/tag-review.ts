import type { CommandContext } from '../../src/kernel/context.ts';
import { tagReviewMail } from '../../src/mail/templates.ts';
import { mailStaff } from './mail-staff.ts';

/** Tells by mail those of the staff who may decide about hashtags. @throws as `mailStaff` */
export async function mailTagReview(ctx: CommandContext, { name }: { name: string }): Promise<void> {
  const { domain, origin } = ctx.instance;
  const link = `${origin}/tags/${encodeURIComponent(name)}`;
  await mailStaff(ctx, 'manage_taxonomies', tagReviewMail({ domain, name, link }));
}
