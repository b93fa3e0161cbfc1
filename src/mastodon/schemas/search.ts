import { z } from 'zod';
import { accountSchema } from './account.ts';
import { collectionSchema } from './collection.ts';
import { id } from './shared.ts';
import { statusSchema } from './status.ts';
import { tagSchema } from './tag.ts';

/** https://docs.joinmastodon.org/entities/Search/ */
export const searchSchema = z
  .strictObject({
    accounts: z.array(accountSchema),
    statuses: z.array(statusSchema),
    hashtags: z.array(tagSchema),
    /** Found only by their addresses. */
    collections: z.array(collectionSchema),
  })
  .meta({ id: 'Search' });
export type Search = z.infer<typeof searchSchema>;

/** A suggested account and the reasons: https://docs.joinmastodon.org/entities/Suggestion/ */
export const suggestionSchema = z
  .strictObject({
    /** The single source for older apps: https://docs.joinmastodon.org/entities/Suggestion/#source */
    source: z.enum(['staff', 'past_interactions', 'global']).optional(),
    sources: z.array(
      z.enum([
        'featured',
        'most_followed',
        'most_interactions',
        'similar_to_recently_followed',
        'friends_of_friends',
      ]),
    ),
    account: accountSchema,
  })
  .meta({ id: 'Suggestion' });
export type Suggestion = z.infer<typeof suggestionSchema>;

/** Followers of an account whom the reader follows too. */
export const familiarFollowersSchema = z
  .strictObject({ id, accounts: z.array(accountSchema) })
  .meta({ id: 'FamiliarFollowers' });
export type FamiliarFollowers = z.infer<typeof familiarFollowersSchema>;
