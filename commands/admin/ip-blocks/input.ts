import { z } from 'zod';
import { type IpRules, ipSeverity, MAX_IP_COMMENT_LENGTH } from '#events/ip-blocks.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid, type RookeryError, type ValidationDetail } from '#kernel/errors.ts';
import { BLANK, UNKNOWN } from '#kernel/field-problems.ts';
import { formInteger, wordText } from '#kernel/input.ts';
import { rangeOf } from '#queries/admin/ip-blocks/index.ts';

/** Seconds: twenty years. */
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
  severity: wordText(ipSeverity.options, 50)
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

/**
 * Returns the given rules. An empty `expires_in` means no expiry. @throws RookeryError `invalid` for another
 * severity
 */
export function rulesOf({ severity, comment, expires_in }: Input, now: string): Partial<IpRules> {
  return {
    ...(severity ? { severity: severityOf(severity) } : {}),
    ...(typeof comment === 'string' ? { comment: comment.trim() } : {}),
    ...(expires_in === undefined ? {} : { expires_at: after(now, expires_in) }),
  };
}

/**
 * Returns the range in Postgres's form. @throws RookeryError `invalid` for text that is no address or range
 */
export async function checkRange(ctx: CommandContext, text: string): Promise<string> {
  const range = await rangeOf(ctx.db, text);
  if (range !== undefined) return range;
  throw refused(['Ip', { error: 'ERR_INVALID', description: 'is invalid' }]);
}

type Problem = readonly [label: 'Ip' | 'Severity', detail: ValidationDetail];

/** Returns the error with the problems in this order. */
const refused = (...problems: readonly Problem[]): RookeryError =>
  invalid(
    `Validation failed: ${problems.map(([label, { description }]) => `${label} ${description}`).join(', ')}`,
    Object.fromEntries(
      [...Map.groupBy(problems, ([label]) => label.toLowerCase())].map(([field, found]) => [
        field,
        found.map(([, detail]) => detail),
      ]),
    ),
  );

/**
 * Returns the required rules of a new block. Mastodon treats an invalid address as a blank one.
 * @throws RookeryError `invalid` with all problems, in Mastodon's order
 */
export async function requireRules(
  ctx: CommandContext,
  { ip, severity: given }: Pick<Input, 'ip' | 'severity'>,
): Promise<{ ip: string; severity: IpRules['severity'] }> {
  const text = ip?.trim();
  const range = text ? await rangeOf(ctx.db, text) : undefined;
  const { data: severity } = ipSeverity.safeParse(given);
  if (range !== undefined && severity !== undefined) return { ip: range, severity };
  throw refused(
    ...(severity === undefined ? [['Severity', UNKNOWN] as const] : []),
    ...(range === undefined ? [['Ip', BLANK] as const] : []),
    ...(given?.trim() ? [] : [['Severity', BLANK] as const]),
  );
}

const after = (now: string, seconds: number | null): string | null =>
  seconds === null ? null : new Date(Date.parse(now) + seconds * 1_000).toISOString();

function severityOf(text: string): IpRules['severity'] {
  const parsed = ipSeverity.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refused(['Severity', UNKNOWN]);
}
