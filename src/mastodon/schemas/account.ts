import { z } from 'zod';
import { customEmojiSchema } from './custom-emoji.ts';
import { featureApprovalSchema } from './feature-approval.ts';
import { fieldSchema } from './field.ts';
import { accountRoleSchema, roleSchema } from './role.ts';
import { count, date, dateTime, id, quotePolicySchema, url, visibilitySchema } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Account/ */
const accountMembers = z.strictObject({
  id,
  username: z.string(),
  /** The username of a local account, otherwise `name@domain`. */
  acct: z.string(),
  url: url.nullable(),
  uri: url,
  display_name: z.string(),
  note: z.string(),
  avatar: url,
  avatar_static: url,
  avatar_description: z.string().optional(),
  header: url,
  header_static: url,
  header_description: z.string().optional(),
  locked: z.boolean(),
  fields: z.array(fieldSchema),
  emojis: z.array(customEmojiSchema),
  bot: z.boolean(),
  group: z.boolean(),
  discoverable: z.boolean().nullable(),
  indexable: z.boolean(),
  noindex: z.boolean().nullable().optional(),
  memorial: z.boolean().optional(),
  suspended: z.boolean().optional(),
  limited: z.boolean().optional(),
  /** Another account has the handle; `username` is the id, and `acct` is `<id>@handle.invalid`. */
  invalid_handle: z.boolean().optional(),
  /** Midnight of the day, which keeps the time private. */
  created_at: dateTime,
  last_status_at: date.nullable(),
  statuses_count: count,
  followers_count: count,
  following_count: count,
  hide_collections: z.boolean().nullable(),
  show_media: z.boolean().optional(),
  show_media_replies: z.boolean().optional(),
  show_featured: z.boolean().optional(),
  /** Only local accounts have roles. */
  roles: z.array(accountRoleSchema).nullable().optional(),
  feature_approval: featureApprovalSchema.optional(),
});

/**
 * Typed by the members alone: for a recursive type, inference returns `unknown` in some orders of the files.
 */
export const accountSchema = accountMembers
  .extend({
    get moved(): z.ZodOptional<z.ZodNullable<z.ZodType<z.infer<typeof accountMembers>>>> {
      return accountSchema.nullable().optional();
    },
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof accountSchema>;

/** Own account: https://docs.joinmastodon.org/entities/Account/#CredentialAccount */
export const credentialAccountSchema = accountSchema
  .extend({
    source: z.strictObject({
      note: z.string(),
      fields: z.array(fieldSchema),
      privacy: visibilitySchema,
      sensitive: z.boolean(),
      /** Null or the empty text: no default language. */
      language: z.string().nullable(),
      follow_requests_count: count,
      hide_collections: z.boolean().nullable(),
      discoverable: z.boolean().nullable(),
      indexable: z.boolean(),
      attribution_domains: z.array(z.string()),
      quote_policy: quotePolicySchema,
    }),
    role: roleSchema,
  })
  .meta({ id: 'CredentialAccount' });
export type CredentialAccount = z.infer<typeof credentialAccountSchema>;

/** https://docs.joinmastodon.org/entities/Account/#MutedAccount */
export const mutedAccountSchema = accountSchema
  .extend({ mute_expires_at: dateTime.nullable() })
  .meta({ id: 'MutedAccount' });
export type MutedAccount = z.infer<typeof mutedAccountSchema>;
