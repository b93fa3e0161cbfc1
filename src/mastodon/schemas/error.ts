import { z } from 'zod';

/** https://docs.joinmastodon.org/entities/Error/ */
export const errorSchema = z
  .strictObject({ error: z.string(), error_description: z.string().optional() })
  .meta({ id: 'Error' });
export type ErrorReply = z.infer<typeof errorSchema>;

/** A 422 that names the wrong fields: https://docs.joinmastodon.org/methods/accounts/#create */
export const validationErrorSchema = z
  .strictObject({
    error: z.string(),
    error_description: z.string().optional(),
    details: z.record(z.string(), z.array(z.strictObject({ error: z.string(), description: z.string() }))),
  })
  .meta({ id: 'ValidationError' });
export type ValidationErrorReply = z.infer<typeof validationErrorSchema>;
