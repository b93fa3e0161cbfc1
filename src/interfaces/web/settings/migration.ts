import { cancelMigration, moveAccount, type PresentMove, presentMove } from '#commands/accounts/index.ts';
import { invalid } from '#kernel/errors.ts';
import { handleField } from '../design/fields.ts';
import { type Html, html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import { handleOfKnown, settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { type Fields, type SignedInRequest, type Tried, userPage, type WebResponse } from '../page/page.ts';
import { currentPasswordField, requirePassword } from './current-password.ts';

const MIGRATION = '/settings/migration';

/** Moves to another account of the user, with or without followers, and cancels that. */
export const migrationPage = userPage({
  path: MIGRATION,
  show: showMigration,
  submit: (request, fields) => {
    switch (fields['step']) {
      case 'move':
      case 'redirect':
        return move(request, fields);
      case 'cancel':
        return cancel(request);
      default:
        throw invalid('The form is incomplete.');
    }
  },
});

async function move(request: SignedInRequest, fields: Fields): Promise<WebResponse> {
  const { ctx, user } = request;
  await requirePassword(request, fields);
  const withFollowers = fields['step'] === 'move';
  await moveAccount(ctx, user.account_id, { to: fields['handle'] ?? '', withFollowers });
  return { redirect: saying(MIGRATION, withFollowers ? 'moved' : 'redirected') };
}

async function cancel({ ctx, user }: SignedInRequest): Promise<WebResponse> {
  await cancelMigration(ctx, user.account_id);
  return { redirect: saying(MIGRATION, 'move_cancelled') };
}

async function showMigration(request: SignedInRequest, tried?: Tried): Promise<WebResponse> {
  const { ctx, user } = request;
  const present = await presentMove(ctx, user.account_id);
  const boxes = [
    present.to !== null && presentBox(request, present),
    !present.withFollowers && moveBox(request, present, tried),
    present.to === null && redirectBox(request, tried),
  ];
  return settingsPage(request, 'Moving away', boxes, tried);
}

const presentBox = (request: SignedInRequest, { to, withFollowers }: PresentMove): Html =>
  html`<h2>Where this account leads</h2>
    <p>
      Your account ${withFollowers ? 'has moved' : 'redirects'} to
      <strong>${to && handleOfKnown(request, to)}</strong>. It cannot post or follow, and nobody can follow it
      anew. You can still sign in, export what you have, and take this back.
    </p>
    ${withFollowers && html`<p>Followers who have gone along do not come back with it.</p>`}
    ${form(request, button('Use this account again', 'plain'), { hidden: { step: 'cancel' } })}`;

function moveBox(
  request: SignedInRequest,
  { to, hasJustMoved }: PresentMove,
  tried: Tried | undefined,
): Html {
  const title = html`<h2>Move with the followers</h2>`;
  if (hasJustMoved) {
    return html`${title}
      <p>You have moved less than 30 days ago. Until then you cannot move again, but you can redirect.</p>`;
  }
  return html`${title}
    <p>
      Everybody who follows you here follows the new account instead, as far as their servers take part. That
      cannot be undone. Whom you follow, blocks, lists and bookmarks can be taken along by
      <a href="/settings/export">Export</a>; posts stay here.
    </p>
    <p>
      The new account has to name this one as an alias first. This account cannot post or follow any more,
      unless you take it back; for 30 days you cannot move again.
    </p>
    ${form(
      request,
      html`${successorField('move', tried, to === null ? '' : handleOfKnown(request, to))}
      ${currentPasswordField('password_to_move')} ${button('Move with the followers', 'danger')}`,
      { hidden: { step: 'move' } },
    )}`;
}

const redirectBox = (request: SignedInRequest, tried: Tried | undefined): Html =>
  html`<h2>Only redirect</h2>
    <p>
      Your profile says where you are now, and your followers stay here. Until you take that back, which you
      can at any time, this account cannot post or follow.
    </p>
    ${form(
      request,
      html`${successorField('redirect', tried)} ${currentPasswordField('password_to_redirect')}
      ${button('Redirect')}`,
      { hidden: { step: 'redirect' } },
    )}`;

/** Text typed into the other form does not appear in this one. */
const successorField = (step: string, tried: Tried | undefined, value = ''): Html =>
  handleField({
    name: 'handle',
    id: `handle_to_${step}`,
    label: 'The new account',
    hint: 'As in @name@server.example.',
    value: tried?.fields['step'] === step ? (tried.fields['handle'] ?? value) : value,
  });
