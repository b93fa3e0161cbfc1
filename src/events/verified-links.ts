import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, time } from './common.ts';

/**
 * The page that a profile field links to links back with `rel="me"`. This counts for the fields with this
 * value as long as they keep it: https://docs.joinmastodon.org/entities/Account/#verified_at
 */
export const AccountLinkVerified = defineEvent({
  type: 'AccountLinkVerified',
  version: 1,
  schema: z.object({ account_id: id, value: z.string().max(2_047), verified_at: time }),
  personal: { subject: (data) => data.account_id, erased: { value: '' } },
  samples: {
    1: {
      account_id: '109500000000000000',
      value: 'https://alice.example/',
      verified_at: '2026-11-21T08:00:00.000Z',
    },
  },
});

interface Verifiable {
  value: string;
  verified_at: string | null;
}

/** Returns when a value of a field was verified in a profile, or null. */
export const verifiedAt = (fields: readonly Verifiable[], value: string): string | null =>
  fields.find((field) => field.value === value)?.verified_at ?? null;

/** Returns the fields of a profile after one of their links was verified. */
export const withVerified = <Field extends Verifiable>(
  fields: readonly Field[],
  { value, verified_at }: EventOf<typeof AccountLinkVerified>['data'],
): Field[] =>
  // Erasure leaves no value, so a link of an erased user is not verified.
  fields.map((field) => (value !== '' && field.value === value ? { ...field, verified_at } : field));
