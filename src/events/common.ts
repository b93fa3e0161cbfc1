import { z } from 'zod';
import { ID_FORM } from '#kernel/ids.ts';

/** A decimal id. */
export const id = z.string().regex(ID_FORM);
/** ISO 8601 with milliseconds, in UTC. */
export const time = z.iso.datetime();
export const domain = z.string().max(253);
export const url = z.string().max(2_048);
/** An ISO 639 code, as clients send it. */
export const language = z.string().max(35);

/** Returns the definition of an event that carries nothing but the id of an account or user. */
export const aboutUser = (type: string) => ({
  version: 1,
  schema: z.object({ account_id: id }),
  samples: { 1: { account_id: '109500000000000000' } },
  type,
});
