import { z } from 'zod';

/**
 * The members that models of apps read, with the types of their languages. An app that finds another type in
 * a required member discards the whole reply. These files contain only names and types, from the sources that
 * each file names.
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

/** The members that an app reads of each entity. Entities that it never requests are absent. */
export type Models = Partial<Record<Entity, z.ZodType>>;

export const text = z.string();
export const flag = z.boolean();
/** A URL that the URL type of the language accepts. */
export const address = z.url();
/** ISO 8601 with three decimals, the form that the parsers of apps for iOS expect. */
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** A time or a date. */
export const timeOrDay = z.union([time, z.iso.date()]);
/** 64 bits: Swift's `Int`, Kotlin's and Java's `Long`. A text is refused. */
export const int64 = z.number().refine(Number.isInteger);
/** 32 bits: Kotlin's and Java's `Int`. */
export const int32 = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);
export const decimal = z.number();
/** Moshi and Gson also read numbers from texts. */
export const int32InText = z.union([
  int32,
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number)
    .pipe(int32),
]);
/** Gson also reads texts from numbers. */
export const textOrNumber = z.union([text, z.number()]);

/** May be absent or null: an optional of Swift, a nullable type of Kotlin, any object of Java. */
export const maybe = <Type extends z.ZodType>(type: Type) => type.nullish();
/** A Kotlin type with a default that is not nullable: it may be absent, but not null. */
export const unlessAbsent = <Type extends z.ZodType>(type: Type) => type.optional();
