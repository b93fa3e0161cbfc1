import { z } from 'zod';
import { dateTime, id, usageDaySchema } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Admin_DomainAllow/ */
export const adminDomainAllowSchema = z
  .strictObject({ id, domain: z.string(), created_at: dateTime })
  .meta({ id: 'AdminDomainAllow' });
export type AdminDomainAllow = z.infer<typeof adminDomainAllowSchema>;

/** https://docs.joinmastodon.org/entities/Admin_EmailDomainBlock/ */
export const adminEmailDomainBlockSchema = z
  .strictObject({
    id,
    domain: z.string(),
    created_at: dateTime,
    history: z.array(usageDaySchema),
    /** Sign-ups with its addresses need approval by staff. */
    allow_with_approval: z.boolean(),
  })
  .meta({ id: 'AdminEmailDomainBlock' });
export type AdminEmailDomainBlock = z.infer<typeof adminEmailDomainBlockSchema>;

/** https://docs.joinmastodon.org/entities/Admin_DomainBlock/ */
export const adminDomainBlockSchema = z
  .strictObject({
    id,
    domain: z.string(),
    /** SHA-256 of the domain, in hex. */
    digest: z.string(),
    created_at: dateTime,
    severity: z.enum(['silence', 'suspend', 'noop']),
    reject_media: z.boolean(),
    reject_reports: z.boolean(),
    private_comment: z.string().nullable(),
    public_comment: z.string().nullable(),
    obfuscate: z.boolean(),
  })
  .meta({ id: 'AdminDomainBlock' });
export type AdminDomainBlock = z.infer<typeof adminDomainBlockSchema>;

/** https://docs.joinmastodon.org/entities/Admin_CanonicalEmailBlock/ */
export const adminCanonicalEmailBlockSchema = z
  .strictObject({ id, canonical_email_hash: z.string() })
  .meta({ id: 'AdminCanonicalEmailBlock' });
export type AdminCanonicalEmailBlock = z.infer<typeof adminCanonicalEmailBlockSchema>;

/** https://docs.joinmastodon.org/entities/Admin_IpBlock/ */
export const adminIpBlockSchema = z
  .strictObject({
    id,
    ip: z.string(),
    severity: z.enum(['sign_up_requires_approval', 'sign_up_block', 'no_access']),
    comment: z.string(),
    created_at: dateTime,
    expires_at: dateTime.nullable(),
  })
  .meta({ id: 'AdminIpBlock' });
export type AdminIpBlock = z.infer<typeof adminIpBlockSchema>;
