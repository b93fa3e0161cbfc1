import { z } from 'zod';
import { canonicalDomain } from '../../src/kernel/domain-name.ts';
import { pageParameters } from '../../src/kernel/paging.ts';
import type { AccountFilter } from './find.ts';

/** An empty field of a form asks for nothing. */
const text = z
  .string()
  .max(500)
  .transform((value) => value.trim() || undefined)
  .optional();

/** What both versions of the list have. */
export const sharedParameters = {
  username: text,
  display_name: text,
  by_domain: text,
  email: text,
  ip: text,
  ...pageParameters(100, 200),
};
type Shared = z.output<z.ZodObject<typeof sharedParameters>>;

export const sharedFilter = ({
  username,
  display_name,
  by_domain,
  email,
  ip,
}: Shared): Omit<AccountFilter, 'states'> => ({
  username: username?.replace(/^@/, ''),
  display_name,
  email,
  domain: by_domain && (canonicalDomain(by_domain) ?? by_domain),
  ip,
});
