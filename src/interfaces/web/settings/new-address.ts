import { confirmEmailChange } from '#commands/accounts/index.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { html } from '../design/html.ts';
import { plainPage } from '../page/layout.ts';
import { openPage } from '../page/page.ts';

/** Our tokens are shorter. */
const MAX_TOKEN = 200;

/**
 * The target of the link to a new e-mail address. Anyone with the link may confirm, as at sign-up
 * (`confirmation.ts`).
 */
export const newAddressPage = openPage({
  path: '/auth/email',
  byMail: true,
  show: async (request) => {
    const token = request.query.get('confirmation_token') ?? '';
    try {
      await confirmEmailChange(request.ctx, token.length <= MAX_TOKEN ? token : '');
    } catch (error) {
      if (!isRookeryError(error) || error.code !== 'gone') throw error;
      const text =
        'It is too old, was used already, or something was changed since. Ask for the change again in your settings.';
      return { ...plainPage(request, 'This link does not work any more', html`<p>${text}</p>`), status: 410 };
    }
    return plainPage(request, 'Confirmed', html`<p>Your account uses this e-mail address from now on.</p>`);
  },
});
