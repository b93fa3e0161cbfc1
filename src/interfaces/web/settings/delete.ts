import { eraseOwnAccount, isLastOwner, LAST_OWNER_STAYS } from '#commands/accounts/index.ts';
import { html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import { plainPage, settingsPage } from '../page/layout.ts';
import { type SignedInRequest, type Tried, userPage, type WebResponse } from '../page/page.ts';
import { currentPasswordField, requirePassword } from './current-password.ts';

const TITLE = 'Delete the account';

/** Deletes the signed-in user's account, like `rookery accounts delete`. */
export const deletePage = userPage({
  path: '/settings/delete',
  show: showDelete,
  submit: async (request, fields) => {
    const { ctx, user, services, session } = request;
    await requirePassword(request, fields);
    await eraseOwnAccount(ctx, user.account_id);
    const reply = plainPage(
      request,
      'Your account is being deleted',
      html`<p>
          You are signed out everywhere, and nobody sees your profile and your posts any more. What is left is
          removed now; with many posts this takes a while.
        </p>
        <p>Other servers that had something of yours are asked to delete it too.</p>`,
    );
    return { ...reply, session: await services.sessions.signOut(session) };
  },
});

async function showDelete(request: SignedInRequest, tried?: Tried): Promise<WebResponse> {
  const { user, ctx } = request;
  if (user.role === 'Owner' && (await isLastOwner(ctx, user.account_id))) {
    return settingsPage(request, TITLE, [html`<p>${LAST_OWNER_STAYS}</p>`], tried);
  }
  const name = `@${user.username}@${ctx.instance.domain}`;
  const text = html`<p>
      This deletes <strong>${name}</strong>: your profile, posts, pictures and other files, whom you follow
      and who follows you, favourites, bookmarks, lists, filters, messages, settings, and your e-mail address.
      Other servers are asked to delete what they have of it.
    </p>
    <p>
      <strong>It is for good.</strong> Nobody can bring any of it back, and nobody can use the name ${name}
      again, not even you.
    </p>
    ${form(request, html`${currentPasswordField('current_password')} ${button('Delete my account for good', 'danger')}`)}`;
  return settingsPage(request, TITLE, [text], tried);
}
