import { z } from 'zod';

/** Parts that many entities share. Formats: https://docs.joinmastodon.org/api/datetime-format/ */

/** A decimal id, as `src/kernel/ids.ts` makes them. */
export const id = z.string().regex(/^[0-9]{1,19}$/);

/** ISO 8601 in UTC with exactly three decimals: some apps parse nothing else. */
export const dateTime = z.iso.datetime({ precision: 3 });

/** A day: `2024-02-29`. */
export const date = z.iso.date();

/** An absolute address. */
export const url = z.url();

/** An address, or the empty text where Mastodon never sends null. */
export const urlOrEmpty = z.union([z.literal(''), z.url()]);

/** A number of things, never below zero. */
export const count = z.int().min(0);

/** ISO 639, two or three letters, with a region where needed (`zh-TW`). */
export const language = z.string().min(2).max(35);

export const visibilitySchema = z
  .enum(['public', 'unlisted', 'private', 'direct'])
  .meta({ id: 'StatusVisibility' });
export type Visibility = z.infer<typeof visibilitySchema>;

export const quotePolicySchema = z.enum(['public', 'followers', 'nobody']);
export type QuotePolicy = z.infer<typeof quotePolicySchema>;

/** Usage of a tag or link on one day; numbers are texts, the day is in seconds since 1970. */
export const usageDaySchema = z
  .strictObject({
    day: z.string().regex(/^[0-9]+$/),
    uses: z.string().regex(/^[0-9]+$/),
    accounts: z.string().regex(/^[0-9]+$/),
  })
  .meta({ id: 'UsageDay' });
export type UsageDay = z.infer<typeof usageDaySchema>;
