import { GROUP_SPAN_HOURS, GROUPED_TYPES } from '#events/notifications.ts';
import { idAt, isId } from '#kernel/ids.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';

/**
 * Groups: https://docs.joinmastodon.org/methods/grouped_notifications/. A group contains the notifications of
 * one type about one status to which the read model gave the same span. Their ids are within twelve hours of
 * the hour in which the span begins.
 */
const HOUR = 3_600_000;
const SPAN = GROUP_SPAN_HOURS * HOUR;

/**
 * SQL: true if a row of notifications belongs to a group; `types` is an expression for the types that are
 * grouped.
 */
export const isGrouped = (n: string, types: string): string =>
  `(${n}.type = any(${types}) and ${n}.type in (${GROUPED_TYPES.map((type) => `'${type}'`).join(', ')}))`;

/** SQL: the smallest id that the group of this row may contain, and the first id above them. */
export const groupBegin = (n: string): string => `((${n}.span::bigint * ${HOUR}) << 16)`;
export const groupEnd = (n: string): string => `((${n}.span::bigint * ${HOUR} + ${SPAN}) << 16)`;

/** SQL: the key that `parseGroupKey` reads, with hours since 1970, as in Mastodon. */
export const groupKey = (n: string, types: string): string =>
  `case when not ${isGrouped(n, types)} then 'ungrouped-' || ${n}.id
     else ${n}.type || case when ${n}.status_id = 0 then '' else '-' || ${n}.status_id end
       || '-' || ${n}.span end`;

/** SQL: all types that can be grouped. */
export const ALL_GROUPED = `array[${GROUPED_TYPES.map((type) => `'${type}'`).join(', ')}]`;

/**
 * The notifications that a key names: one by its id, or those of a type about a status ('0': none) with ids
 * in a range.
 */
export type GroupRange =
  | { id: string }
  | { id?: undefined; type: NotificationType; statusId: string; span: number; first: string; last: string };

/** Returns undefined for text that is no key. */
export function parseGroupKey(key: string): GroupRange | undefined {
  const single = /^ungrouped-([0-9]+)$/.exec(key)?.[1];
  if (single !== undefined) return isId(single) ? { id: single } : undefined;
  const parts = /^(?:(favourite|reblog)-([0-9]+)|(follow|admin\.sign_up))-(0|[1-9][0-9]{0,7})$/.exec(key);
  if (!parts) return undefined;
  const [, ofStatus, statusId = '0', ofNone, hours] = parts;
  const begin = Number(hours) * HOUR;
  const last = String(BigInt(idAt(begin + SPAN)) - 1n);
  if (!isId(statusId) || !isId(last)) return undefined;
  const span = Number(hours);
  return { type: (ofStatus ?? ofNone) as NotificationType, statusId, span, first: idAt(begin), last };
}
