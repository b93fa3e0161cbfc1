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
  severity: z.string().max(50).nullish(),
  reject_media: formBoolean.optional(),
  reject_reports: formBoolean.optional(),
  private_comment: comment,
  public_comment: comment,
  obfuscate: formBoolean.optional(),
};

/** What was given; empty comments are none. @throws RookeryError `invalid` for another severity */
export function rulesOf(input: z.output<z.ZodObject<typeof rulesInput>>): Partial<DomainRules> {
  const { severity, private_comment, public_comment } = input;
  const flags = (['reject_media', 'reject_reports', 'obfuscate'] as const).filter(
    (name) => typeof input[name] === 'boolean',
  );
  return {
    ...(severity ? { severity: severityOf(severity) } : {}),
    ...Object.fromEntries(flags.map((name) => [name, input[name]])),
    ...(private_comment === undefined ? {} : { private_comment: private_comment?.trim() || null }),
    ...(public_comment === undefined ? {} : { public_comment: public_comment?.trim() || null }),
  };
}

function severityOf(text: string): DomainRules['severity'] {
  const parsed = domainSeverity.safeParse(text);
  if (parsed.success) return parsed.data;
  throw invalid('Validation failed: Severity is not included in the list', {
    severity: [{ error: 'ERR_INCLUSION', description: 'is not included in the list' }],
  });
}
