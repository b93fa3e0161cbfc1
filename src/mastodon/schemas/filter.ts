import { z } from 'zod';
import { dateTime, id } from './shared.ts';

export const filterContextSchema = z.enum(['home', 'notifications', 'public', 'thread', 'account']);
export type FilterContext = z.infer<typeof filterContextSchema>;

/** https://docs.joinmastodon.org/entities/FilterKeyword/ */
export const filterKeywordSchema = z
  .strictObject({ id, keyword: z.string(), whole_word: z.boolean() })
  .meta({ id: 'FilterKeyword' });
export type FilterKeyword = z.infer<typeof filterKeywordSchema>;

/** https://docs.joinmastodon.org/entities/FilterStatus/ */
export const filterStatusSchema = z.strictObject({ id, status_id: id }).meta({ id: 'FilterStatus' });
export type FilterStatus = z.infer<typeof filterStatusSchema>;

/**
 * https://docs.joinmastodon.org/entities/Filter/. Within a `FilterResult` it has no keywords and statuses.
 */
export const filterSchema = z
  .strictObject({
    id,
    title: z.string(),
    context: z.array(filterContextSchema),
    expires_at: dateTime.nullable(),
    filter_action: z.enum(['warn', 'hide', 'blur']),
    keywords: z.array(filterKeywordSchema).optional(),
    statuses: z.array(filterStatusSchema).optional(),
  })
  .meta({ id: 'Filter' });
export type Filter = z.infer<typeof filterSchema>;

/**
 * The reason why a status is filtered for its reader: https://docs.joinmastodon.org/entities/FilterResult/
 */
export const filterResultSchema = z
  .strictObject({
    filter: filterSchema,
    keyword_matches: z.array(z.string()).nullable(),
    status_matches: z.array(id).nullable(),
  })
  .meta({ id: 'FilterResult' });
export type FilterResult = z.infer<typeof filterResultSchema>;

/** One keyword with the attributes of its filter: https://docs.joinmastodon.org/entities/V1_Filter/ */
export const v1FilterSchema = z
  .strictObject({
    id,
    phrase: z.string(),
    context: z.array(filterContextSchema),
    expires_at: dateTime.nullable(),
    irreversible: z.boolean(),
    whole_word: z.boolean(),
  })
  .meta({ id: 'V1Filter' });
export type V1Filter = z.infer<typeof v1FilterSchema>;
