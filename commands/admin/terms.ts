import { z } from 'zod';
import { MAX_TEXT_LENGTH } from '#events/instance.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { termsOfServiceSchema } from '#mastodon/schemas/index.ts';
import { termsOfService } from '#queries/instance/index.ts';
import { publishTerms } from '../instance/index.ts';

/** Mastodon publishes terms on web pages, and has no API for it. */
export const createTerms = endpoint({
  method: 'POST',
  path: '/api/v1/admin/terms',
  summary: 'Publish terms of service, for ever',
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'manage_settings',
  longTexts: true,
  body: z.object({
    text: z.string().max(MAX_TEXT_LENGTH).nullish().describe('The terms, as plain text or HTML.'),
    effective_date: z
      .string()
      .max(20)
      .nullish()
      .describe(
        'The day (UTC) on which they take effect, such as 2026-12-01; later than that of earlier ones.',
      ),
  }),
  requires: ['text', 'effective_date'],
  reply: termsOfServiceSchema,
  handler: async (ctx, { body: { text, effective_date } }) => {
    const effectiveDate = effective_date ?? '';
    await publishTerms(ctx, { text: text ?? '', effectiveDate });
    return { json: await termsOfService(ctx, effectiveDate) };
  },
});

export const adminTermsCommands = [createTerms];
