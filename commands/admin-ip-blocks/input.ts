import { z } from 'zod';
import { rangeOf } from '../../queries/admin-ip-blocks/index.ts';
import { ipSeverity, MAX_IP_COMMENT_LENGTH, type IpRules } from '../../src/events/ip-blocks.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { invalid } from '../../src/kernel/errors.ts';
import { formInteger } from '../../src/kernel/input.ts';

/** In seconds: twenty years. */
const MAX_EXPIRES_IN = 20 * 366 * 86_400;

/** https://docs.joinmastodon.org/methods/admin/ip_blocks/#form-data-parameters */
export const ipBlockInput = z.object({
  ip: z
    .string()
    .max(100)
    .nullish()
    .describe(
      'The IP address, or a range of them in CIDR notation; 0.0.0.0, which nobody has, for a new block without one.',
    ),
  severity: z
    .string()
    .max(50)
    .nullish()
    .describe('What is denied: `sign_up_requires_approval`, `sign_up_block` or `no_access`.'),
  comment: z
    .string()
    .max(MAX_IP_COMMENT_LENGTH)
    .nullish()
    .describe(`A note for staff, of at most ${MAX_IP_COMMENT_LENGTH} characters.`),
  expires_in: formInteger(1, MAX_EXPIRES_IN)
    .optional()
    .describe('How long the block lasts from now, in seconds; an empty value is without end.'),
});
type Input = z.output<typeof ipBlockInput>;

/** What was given. An empty `expires_in` is for ever. @throws RookeryError `invalid` for another severity */
export function rulesOf({ severity, comment, expires_in }: Input, now: string): Partial<IpRules> {
  return {
    ...(severity ? { severity: severityOf(severity) } : {}),
    ...(typeof comment === 'string' ? { comment: comment.trim() } : {}),
    ...(expires_in === undefined ? {} : { expires_at: after(now, expires_in) }),
  };
}

/** The range as Postgres writes it. @throws RookeryError `invalid` for what is no address and no range */
export async function checkRange(ctx: CommandContext, text: string): Promise<string> {
  const range = await rangeOf(ctx.db, text);
  if (range !== undefined) return range;
  throw invalid('Validation failed: Ip is invalid', {
    ip: [{ error: 'ERR_INVALID', description: 'is invalid' }],
  });
}

const after = (now: string, seconds: number | null): string | null =>
  seconds === null ? null : new Date(Date.parse(now) + seconds * 1_000).toISOString();

function severityOf(text: string): IpRules['severity'] {
  const parsed = ipSeverity.safeParse(text);
  if (parsed.success) return parsed.data;
  throw invalid('Validation failed: Severity is not included in the list', {
    severity: [{ error: 'ERR_INCLUSION', description: 'is not included in the list' }],
  });
}
