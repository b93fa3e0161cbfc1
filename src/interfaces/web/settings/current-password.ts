import { countOwnAttempt } from '#interfaces/oauth/attempts.ts';
import { invalid } from '#kernel/errors.ts';
import { passwordField } from '../design/fields.ts';
import type { Html } from '../design/html.ts';
import type { Fields, SignedInRequest } from '../page/page.ts';

const MAX_PASSWORD = 1_000;

/** Asks for the password again; `id` distinguishes the forms of a page. */
export const currentPasswordField = (id: string): Html =>
  passwordField({
    name: 'current_password',
    id,
    label: 'Current password',
    autocomplete: 'current-password',
  });

/**
 * Asks for the current password before every sensitive step, against a stranger at a signed-in browser.
 * Attempts have a count of their own, which strangers elsewhere cannot use up.
 * @throws RookeryError `invalid`, `too_many_requests`
 */
export async function requirePassword(
  { services, user }: SignedInRequest,
  { current_password: password = '' }: Fields,
): Promise<void> {
  await countOwnAttempt(services.limit, user.account_id);
  const isRight =
    password.length <= MAX_PASSWORD && (await services.credentials.verifyPassword(user.account_id, password));
  if (!isRight) throw invalid('The current password is wrong.');
}
