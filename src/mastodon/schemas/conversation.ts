import { z } from 'zod';
import { accountSchema } from './account.ts';
import { id } from './shared.ts';
import { statusSchema } from './status.ts';

/** https://docs.joinmastodon.org/entities/Conversation/ */
export const conversationSchema = z
  .strictObject({
    id,
    unread: z.boolean(),
    accounts: z.array(accountSchema),
    last_status: statusSchema.nullable(),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof conversationSchema>;
