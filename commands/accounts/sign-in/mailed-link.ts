import type { MailContent } from '#commands/mails/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';

/**
 * Mails a link with a new one-time code of a kind to `to`, which is the code's value. Earlier codes of this kind are void
 * once the mail is out: a mail that is refused leaves the user the link that they have. @throws RookeryError
 * `unavailable`, `too_many_requests`
 */
export async function mailLink(
  ctx: CommandContext,
  { kind, accountId, to }: { kind: string; accountId: Id; to: string },
  mailWith: (code: string) => MailContent,
): Promise<void> {
  const { credentials, mailer } = ctx.services;
  const code = await credentials.createCode(kind, accountId, to);
  await mailer.send({ ...mailWith(code), to });
  await credentials.voidEarlierCodes(kind, code);
}
