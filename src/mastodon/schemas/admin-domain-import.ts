import { z } from 'zod';
import { count } from './shared.ts';

/** One line of an imported list. Rules that the line does not change are null. */
export const adminDomainChangeSchema = z
  .strictObject({
    /** The number of the line, from 1. */
    line: count,
    domain: z.string(),
    change: z.enum(['added', 'changed', 'unchanged']),
    severity: z.enum(['silence', 'suspend', 'noop']).nullable(),
    reject_media: z.boolean().nullable(),
    reject_reports: z.boolean().nullable(),
    obfuscate: z.boolean().nullable(),
    public_comment: z.string().nullable(),
    /** The severity of the block that is changed. */
    previous_severity: z.enum(['silence', 'suspend', 'noop']).nullable(),
    /** The domain above whose block says as much already. */
    blocked_with: z.string().nullable(),
    /** The number of follows between users of this server and the domain that a new suspension ends. */
    follows_ended: count,
  })
  .meta({ id: 'AdminDomainChange' });
export type AdminDomainChange = z.infer<typeof adminDomainChangeSchema>;

/** An addition: what an import of a list of domains changed, or would change. */
export const adminDomainImportSchema = z
  .strictObject({
    dry_run: z.boolean(),
    added: count,
    changed: count,
    unchanged: count,
    changes: z.array(adminDomainChangeSchema),
    /** The lines that cannot be used, each with the reason. */
    invalid: z.array(z.strictObject({ line: count, reason: z.string() })),
  })
  .meta({ id: 'AdminDomainImport' });
export type AdminDomainImport = z.infer<typeof adminDomainImportSchema>;
