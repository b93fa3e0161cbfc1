import { z } from 'zod';
import { customEmojiSchema } from './custom-emoji.ts';
import { count, dateTime, id } from './shared.ts';

/** The count is null while totals are hidden. */
export const pollOptionSchema = z
  .strictObject({ title: z.string(), votes_count: count.nullable() })
  .meta({ id: 'PollOption' });
export type PollOption = z.infer<typeof pollOptionSchema>;

/** https://docs.joinmastodon.org/entities/Poll/ */
export const pollSchema = z
  .strictObject({
    id,
    expires_at: dateTime.nullable(),
    expired: z.boolean(),
    multiple: z.boolean(),
    votes_count: count,
    voters_count: count,
    options: z.array(pollOptionSchema),
    emojis: z.array(customEmojiSchema),
    /** Both only for a signed-in reader. `own_votes` are indexes into `options`. */
    voted: z.boolean().optional(),
    own_votes: z.array(count).optional(),
  })
  .meta({ id: 'Poll' });
export type Poll = z.infer<typeof pollSchema>;
