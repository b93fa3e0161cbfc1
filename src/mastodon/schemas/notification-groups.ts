import { z } from 'zod';
import { accountSchema } from './account.ts';
import { notificationSubjects, notificationTypeSchema } from './notification.ts';
import { count, dateTime, id, url } from './shared.ts';
import { statusSchema } from './status.ts';

/** https://docs.joinmastodon.org/entities/Account/#PartialAccountWithAvatar */
export const partialAccountSchema = z
  .strictObject({
    id,
    acct: z.string(),
    url,
    avatar: url,
    avatar_static: url,
    avatar_description: z.string().optional(),
    locked: z.boolean(),
    bot: z.boolean(),
  })
  .meta({ id: 'PartialAccountWithAvatar' });
/** https://docs.joinmastodon.org/methods/grouped_notifications/#NotificationGroup */
export const notificationGroupSchema = z
  .strictObject({
    group_key: z.string(),
    notifications_count: count,
    type: notificationTypeSchema,
    /**
     * A number, because apps for iOS accept nothing else and read it exactly. It exceeds 2^53, so JavaScript
     * pages by `page_max_id`.
     */
    most_recent_notification_id: z.number(),
    page_min_id: id.optional(),
    page_max_id: id.optional(),
    latest_page_notification_at: dateTime.optional(),
    sample_account_ids: z.array(id),
    status_id: id.nullable().optional(),
    ...notificationSubjects,
  })
  .meta({ id: 'NotificationGroup' });
export type NotificationGroup = z.infer<typeof notificationGroupSchema>;

/** Groups with the accounts and statuses that they reference, each once. */
export const groupedNotificationsSchema = z
  .strictObject({
    accounts: z.array(accountSchema),
    partial_accounts: z.array(partialAccountSchema).optional(),
    statuses: z.array(statusSchema),
    notification_groups: z.array(notificationGroupSchema),
  })
  .meta({ id: 'GroupedNotificationsResults' });
export type GroupedNotifications = z.infer<typeof groupedNotificationsSchema>;

const verdict = z.enum(['accept', 'filter', 'drop']);

/** https://docs.joinmastodon.org/entities/NotificationPolicy/ */
export const notificationPolicySchema = z
  .strictObject({
    for_not_following: verdict,
    for_not_followers: verdict,
    for_new_accounts: verdict,
    for_private_mentions: verdict,
    for_limited_accounts: verdict,
    for_bots: verdict,
    summary: z.strictObject({ pending_requests_count: count, pending_notifications_count: count }),
  })
  .meta({ id: 'NotificationPolicy' });
export type NotificationPolicy = z.infer<typeof notificationPolicySchema>;

/**
 * The form of Mastodon 4.3 betas, which apps still request:
 * https://docs.joinmastodon.org/entities/V1_NotificationPolicy/
 */
export const v1NotificationPolicySchema = z
  .strictObject({
    filter_not_following: z.boolean(),
    filter_not_followers: z.boolean(),
    filter_new_accounts: z.boolean(),
    filter_private_mentions: z.boolean(),
    filter_bots: z.boolean(),
    summary: notificationPolicySchema.shape.summary,
  })
  .meta({ id: 'V1NotificationPolicy' });
export type V1NotificationPolicy = z.infer<typeof v1NotificationPolicySchema>;

/** https://docs.joinmastodon.org/entities/NotificationRequest/. The count is a text. */
export const notificationRequestSchema = z
  .strictObject({
    id,
    created_at: dateTime,
    updated_at: dateTime,
    notifications_count: z.string().regex(/^[0-9]+$/),
    account: accountSchema,
    last_status: statusSchema.nullable().optional(),
  })
  .meta({ id: 'NotificationRequest' });
export type NotificationRequest = z.infer<typeof notificationRequestSchema>;
