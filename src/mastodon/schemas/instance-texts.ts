import { z } from 'zod';
import { date, dateTime } from './shared.ts';

/** https://docs.joinmastodon.org/entities/ExtendedDescription/ */
export const extendedDescriptionSchema = z
  .strictObject({
    /** Null until staff writes one. */
    updated_at: dateTime.nullable(),
    content: z.string(),
  })
  .meta({ id: 'ExtendedDescription' });
export type ExtendedDescription = z.infer<typeof extendedDescriptionSchema>;

/** https://docs.joinmastodon.org/entities/PrivacyPolicy/ */
export const privacyPolicySchema = z
  .strictObject({ updated_at: dateTime, content: z.string() })
  .meta({ id: 'PrivacyPolicy' });
export type PrivacyPolicy = z.infer<typeof privacyPolicySchema>;

/** https://docs.joinmastodon.org/entities/TermsOfService/ */
export const termsOfServiceSchema = z
  .strictObject({
    effective_date: date,
    effective: z.boolean(),
    content: z.string(),
    succeeded_by: date.nullable(),
  })
  .meta({ id: 'TermsOfService' });
export type TermsOfService = z.infer<typeof termsOfServiceSchema>;

/** A domain that the server moderates: https://docs.joinmastodon.org/entities/DomainBlock/ */
export const domainBlockSchema = z
  .strictObject({
    domain: z.string(),
    /** SHA-256 of the domain, in hexadecimal. */
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    severity: z.enum(['silence', 'suspend']),
    comment: z.string().nullable().optional(),
  })
  .meta({ id: 'DomainBlock' });
export type DomainBlock = z.infer<typeof domainBlockSchema>;
