import { z } from 'zod';

/** The moment that is so many milliseconds after another one (before it, where they are negative), ISO 8601 both. */
export const timeAfter = (moment: string, milliseconds: number): string =>
  new Date(Date.parse(moment) + milliseconds).toISOString();

/** A moment (ISO 8601) as people read it: `2026-11-22 23:15 UTC`. */
export const readableMinute = (moment: string): string => `${moment.slice(0, 16).replace('T', ' ')} UTC`;

/** Milliseconds since 1970: between them a year has four digits, so that ISO 8601 sorts as texts do, and Postgres knows it. */
export const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
export const LAST_MOMENT = Date.parse('9999-12-31T00:00:00.000Z');

/** A day that Postgres knows too: `2026-12-01`. There is no year 0. */
export const calendarDay = z.iso
  .date()
  .max(10)
  .refine((day) => day >= '0001', 'There is no year 0');
