import { z } from 'zod';

/**
 * Returns the moment so many milliseconds after another one (before it for negative numbers), both ISO 8601.
 */
export const timeAfter = (moment: string, milliseconds: number): string =>
  new Date(Date.parse(moment) + milliseconds).toISOString();

/** Formats a moment (ISO 8601) for people: `2026-11-22 23:15 UTC`. */
export const readableMinute = (moment: string): string => `${moment.slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Milliseconds since 1970. Between these bounds a year has four digits, so that ISO 8601 sorts like text, and
 * Postgres knows it.
 */
export const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
export const LAST_MOMENT = Date.parse('9999-12-31T00:00:00.000Z');

/** A day within Postgres's range: `2026-12-01`. There is no year 0. */
export const calendarDay = z.iso
  .date()
  .max(10)
  .refine((day) => day >= '0001', 'There is no year 0');
