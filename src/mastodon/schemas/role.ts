import { z } from 'zod';
import { count } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Role/. The default role has the id `-99`. */
export const roleSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    color: z.string(),
    /** The bit mask of permissions as a decimal text. */
    permissions: z.string().regex(/^[0-9]+$/),
    highlighted: z.boolean(),
    collection_limit: count,
  })
  .meta({ id: 'Role' });
export type Role = z.infer<typeof roleSchema>;

/** The public part of a highlighted role: https://docs.joinmastodon.org/entities/Account/#AccountRole */
export const accountRoleSchema = z
  .strictObject({ id: z.string(), name: z.string(), color: z.string() })
  .meta({ id: 'AccountRole' });
export type AccountRole = z.infer<typeof accountRoleSchema>;
