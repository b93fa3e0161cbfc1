import { z } from 'zod';
import { pageParameters } from '#kernel/paging.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import type { AccountFilter } from './find.ts';

/** An empty form field is no condition. */
const text = z
  .string()
  .max(500)
  .transform((value) => value.trim() || undefined)
  .optional();

export const sharedParameters = {
  username: text.describe('The beginning of the username.'),
  display_name: text.describe('The beginning of the display name.'),
  by_domain: text.describe('The domain of the server of the accounts.'),
  email: text.describe('The beginning of the e-mail address.'),
  ip: text.describe('The IP address from which the user signed up or was seen.'),
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
