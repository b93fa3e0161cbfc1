import { z } from 'zod';

/** A document of the log for everybody, in plain text. */
export const PUBLIC_TEXT = {
  method: 'GET',
  auth: 'public',
  openInLimitedMode: true,
  scopes: [],
  contentType: 'text/plain; charset=utf-8',
  reply: z.string(),
} as const;
