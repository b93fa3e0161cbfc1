import { z } from 'zod';
import { NOTIFICATION_TYPES } from '../notification-types.ts';
import { accountSchema } from './account.ts';
import { collectionSchema } from './collection.ts';
import { reportSchema } from './report.ts';
import { count, dateTime, id } from './shared.ts';
import { statusSchema } from './status.ts';
import { accountWarningSchema } from './strike.ts';

export const notificationTypeSchema = z.enum(NOTIFICATION_TYPES);
export type NotificationType = z.infer<typeof notificationTypeSchema>;

/** https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/ */
export const relationshipSeveranceEventSchema = z
  .strictObject({
    id,
    type: z.enum(['domain_block', 'user_domain_block', 'account_suspension']),
    purged: z.boolean(),
    target_name: z.string(),
    followers_count: count,
    following_count: count,
    created_at: dateTime,
  })
  .meta({ id: 'RelationshipSeveranceEvent' });
export type RelationshipSeveranceEvent = z.infer<typeof relationshipSeveranceEventSchema>;

/** A text for apps that do not know the type: https://docs.joinmastodon.org/entities/NotificationFallback/ */
export const notificationFallbackSchema = z
  .strictObject({
    title: z.string(),
    summary: z.string().nullable().optional(),
    details: z.string().nullable().optional(),
  })
  .meta({ id: 'NotificationFallback' });
export type NotificationFallback = z.infer<typeof notificationFallbackSchema>;

/** The subjects of a notification besides an account and a status. */
export const notificationSubjects = {
  report: reportSchema.optional(),
  event: relationshipSeveranceEventSchema.optional(),
  moderation_warning: accountWarningSchema.optional(),
  collection: collectionSchema.optional(),
  fallback: notificationFallbackSchema.optional(),
};

/** https://docs.joinmastodon.org/entities/Notification/. `status` may be null once it is deleted. */
export const notificationSchema = z
  .strictObject({
    id,
    type: notificationTypeSchema,
    group_key: z.string(),
    created_at: dateTime,
    account: accountSchema,
    status: statusSchema.nullable().optional(),
    ...notificationSubjects,
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof notificationSchema>;
