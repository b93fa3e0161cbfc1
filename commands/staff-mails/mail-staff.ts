import type { CommandContext } from '#kernel/context.ts';
import type { Permission } from '#mastodon/permissions.ts';
import { staffAddresses } from '#queries/admin/accounts/index.ts';
import type { MailContent } from '../mails/index.ts';

/**
 * Sends a mail to all staff whose role has a permission. @throws RookeryError `unavailable` when none could
 * be sent
 */
export async function mailStaff(
  ctx: CommandContext,
  permission: Permission,
  mail: MailContent,
): Promise<void> {
  await mailEach(ctx, await staffAddresses(ctx.db, permission), mail);
}

/** Sends a mail to each of these addresses. @throws as `mailStaff` */
export async function mailEach(
  ctx: CommandContext,
  addresses: readonly string[],
  mail: MailContent,
): Promise<void> {
  const sent = await Promise.allSettled(addresses.map((to) => ctx.services.mailer.send({ ...mail, to })));
  const [failure] = sent.filter(({ status }) => status === 'rejected');
  // After a partial success, a retry would mail the others again for as long as one mailbox rejects mail.
  if (failure?.status === 'rejected' && sent.every(({ status }) => status === 'rejected'))
    throw failure.reason;
}
