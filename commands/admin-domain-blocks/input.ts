import { z } from 'zod';
import {
  domainSeverity,
  MAX_COMMENT_LENGTH,
  type DomainRules,
} from '../../src/events/admin-domain-blocks.ts';
import { invalid } from '../../src/kernel/errors.ts';
import { formBoolean } from '../../src/kernel/input.ts';

const comment = z.string().max(MAX_COMMENT_LENGTH).nullish();

/** https://docs.joinmastodon.org/methods/admin/domain_blocks/#form-data-parameters */
export const rulesInput = {
  severity: z
    .string()
    .max(50)
    .nullish()
    .describe('How strict the block is: `noop`, `silence` (for a new block) or `suspend`.'),
  reject_media: formBoolean
    .optional()
    .describe('Whether media files of the domain are refused; false for a new block.'),
  reject_reports: formBoolean
    .optional()
    .describe('Whether reports from the domain are ignored; false for a new block.'),
  private_comment: comment.describe(
    `A note for staff, of at most ${MAX_COMMENT_LENGTH} characters; an empty one removes it.`,
  ),
  public_comment: comment.describe(
    `The reason shown with the public list of blocks, of at most ${MAX_COMMENT_LENGTH} characters; an empty one removes it.`,
  ),
  obfuscate: formBoolean
    .optional()
    .describe('Whether the public list of blocks hides part of the domain; false for a new block.'),
};

/** Returns the rules that the request names. @throws RookeryError `invalid` for another severity */
export function rulesOf(input: z.output<z.ZodObject<typeof rulesInput>>): Partial<DomainRules> {
  const { severity, private_comment, public_comment } = input;
  const flags = (['reject_media', 'reject_reports', 'obfuscate'] as const).filter(
    (name) => typeof input[name] === 'boolean',
  );
  return {
    ...(severity ? { severity: severityOf(severity) } : {}),
    ...Object.fromEntries(flags.map((name) => [name, input[name]])),
    ...(private_comment === undefined ? {} : { private_comment }),
    ...(public_comment === undefined ? {} : { public_comment }),
  };
}

function severityOf(text: string): DomainRules['severity'] {
  const parsed = domainSeverity.safeParse(text);
  if (parsed.success) return parsed.data;
  throw invalid('Validation failed: Severity is not included in the list', {
    severity: [{ error: 'ERR_INCLUSION', description: 'is not included in the list' }],
  });
}
