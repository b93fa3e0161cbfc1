import { z } from 'zod';
import { dateTime, id, usageDaySchema } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Admin_DomainAllow/ */
export const adminDomainAllowSchema = z
  .strictObject({ id, domain: z.string(), created_at: dateTime })
  .meta({ id: 'AdminDomainAllow' });
export type AdminDomainAllow = z.infer<typeof adminDomainAllowSchema>;

/** https://docs.joinmastodon.org/entities/Admin_EmailDomainBlock/ */
export const adminEmailDomainBlockSchema = z
  .strictObject({ id, domain: z.string(), created_at: dateTime, history: z.array(usageDaySchema) })
  .meta({ id: 'AdminEmailDomainBlock' });
export type AdminEmailDomainBlock = z.infer<typeof adminEmailDomainBlockSchema>;
