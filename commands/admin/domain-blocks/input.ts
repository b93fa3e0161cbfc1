import { z } from 'zod';
import { type DomainRules, domainSeverity, MAX_COMMENT_LENGTH } from '#events/admin-domain-blocks.ts';
import { type FieldProblems, UNKNOWN } from '#kernel/field-problems.ts';
import { formBoolean, wordText } from '#kernel/input.ts';

const comment = z.string().max(MAX_COMMENT_LENGTH).nullish();

/** https://docs.joinmastodon.org/methods/admin/domain_blocks/#form-data-parameters */
export const rulesInput = {
  severity: wordText(domainSeverity.options, 50)
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

type Rules = z.output<z.ZodObject<typeof rulesInput>>;
const isSeverity = (text: unknown): text is DomainRules['severity'] => domainSeverity.safeParse(text).success;

/** A given severity must be valid, even a blank one. */
export function checkSeverity({ severity }: Rules, problems: FieldProblems): void {
  if (severity !== undefined && !isSeverity(severity)) problems.add('severity', UNKNOWN);
}

/** Returns the given rules, without an invalid severity. */
export function rulesOf(input: Rules): Partial<DomainRules> {
  const { severity, private_comment, public_comment } = input;
  const flags = (['reject_media', 'reject_reports', 'obfuscate'] as const).filter(
    (name) => typeof input[name] === 'boolean',
  );
  return {
    ...(isSeverity(severity) ? { severity } : {}),
    ...Object.fromEntries(flags.map((name) => [name, input[name]])),
    ...(private_comment === undefined ? {} : { private_comment }),
    ...(public_comment === undefined ? {} : { public_comment }),
  };
}
