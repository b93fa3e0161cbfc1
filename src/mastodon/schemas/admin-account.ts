import { z } from 'zod';
import { accountSchema } from './account.ts';
import { roleSchema } from './role.ts';
import { dateTime, id } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Admin_Ip/ */
export const adminIpSchema = z.strictObject({ ip: z.string(), used_at: dateTime }).meta({ id: 'AdminIp' });
export type AdminIp = z.infer<typeof adminIpSchema>;

/**
 * For staff: https://docs.joinmastodon.org/entities/Admin_Account/. The e-mail address and language of remote
 * accounts are unknown.
 */
export const adminAccountSchema = z
  .strictObject({
    id,
    username: z.string(),
    /** Null for a local account. */
    domain: z.string().nullable(),
    created_at: dateTime,
    email: z.string(),
    /** The most recent one. */
    ip: z.string().nullable(),
    ips: z.array(adminIpSchema),
    locale: z.string(),
    /** The reason for joining, when staff approves sign-ups. */
    invite_request: z.string().nullable(),
    role: roleSchema,
    confirmed: z.boolean(),
    approved: z.boolean(),
    disabled: z.boolean(),
    silenced: z.boolean(),
    suspended: z.boolean(),
    sensitized: z.boolean(),
    account: accountSchema,
    created_by_application_id: id.optional(),
    invited_by_account_id: id.optional(),
  })
  .meta({ id: 'AdminAccount' });
export type AdminAccount = z.infer<typeof adminAccountSchema>;
