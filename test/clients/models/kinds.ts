import { z } from 'zod';

/**
 * What the models of apps read, in the terms of their languages. An app that finds anything else in a member that it cannot do
 * without shows nothing of the whole reply. Only names and types are here, from the sources that each file names.
 */
export type Entity =
  | 'Account'
  | 'Announcement'
  | 'Application'
  | 'Collection'
  | 'CollectionWithAccounts'
  | 'Collections'
  | 'Context'
  | 'Conversation'
  | 'CustomEmoji'
  | 'DeletedStatus'
  | 'FamiliarFollowers'
  | 'FeaturedTag'
  | 'Filter'
  | 'GroupedNotifications'
  | 'Instance'
  | 'List'
  | 'Markers'
  | 'MediaAttachment'
  | 'Notification'
  | 'NotificationPolicy'
  | 'NotificationRequest'
  | 'Poll'
  | 'Preferences'
  | 'Profile'
  | 'Relationship'
  | 'ScheduledStatus'
  | 'Search'
  | 'Status'
  | 'StatusEdit'
  | 'StatusSource'
  | 'Suggestion'
  | 'Tag'
  | 'Token'
  | 'V1Filter'
  | 'V1Instance'
  | 'V1NotificationPolicy'
  | 'WebPushSubscription';

/** What an app reads of each entity; those that it never asks for are absent. */
export type Models = Partial<Record<Entity, z.ZodType>>;

export const text = z.string();
export const flag = z.boolean();
/** An address that the language's own type for addresses takes. */
export const address = z.url();
/** ISO 8601 with three decimals: what the parsers of apps for iOS are made for. */
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** A moment, or a day alone. */
export const timeOrDay = z.union([time, z.iso.date()]);
/** 64 bits: Swift's `Int`, Kotlin's and Java's `Long`. A text is none. */
export const int64 = z.number().refine(Number.isInteger);
/** 32 bits: Kotlin's and Java's `Int`. */
export const int32 = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);
export const decimal = z.number();
/** Moshi and Gson read numbers out of texts. */
export const int32InText = z.union([
  int32,
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number)
    .pipe(int32),
]);
/** Gson reads texts out of numbers. */
export const textOrNumber = z.union([text, z.number()]);

/** Absent or null where there is nothing: an optional of Swift, a nullable type of Kotlin, any object of Java. */
export const maybe = <Type extends z.ZodType>(type: Type) => type.nullish();
/** Kotlin, a type that has a default and is not nullable: it may be absent, but null fails. */
export const unlessAbsent = <Type extends z.ZodType>(type: Type) => type.optional();
