import { addAlias, MAX_ALIASES, removeAlias } from '#commands/accounts/index.ts';
import { invalid } from '#kernel/errors.ts';
import { type Alias, aliasesOf } from '#queries/accounts/index.ts';
import { handleField } from '../design/fields.ts';
import { type Html, html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import { handleOfKnown, settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { type SignedInRequest, type Tried, userPage, type WebResponse } from '../page/page.ts';

const ALIASES = '/settings/aliases';

/** The user's accounts on other servers, so that they can move here. */
export const aliasesPage = userPage({
  path: ALIASES,
  show: showAliases,
  submit: async ({ ctx, user }, { step, handle = '', uri = '' }) => {
    if (step === 'add') await addAlias(ctx, { accountId: user.account_id, text: handle });
    else if (step === 'remove') await removeAlias(ctx, { accountId: user.account_id, text: uri });
    else throw invalid('The form is incomplete.');
    return { redirect: saying(ALIASES, step === 'add' ? 'alias_added' : 'alias_removed') };
  },
});

async function showAliases(request: SignedInRequest, tried?: Tried): Promise<WebResponse> {
  const { ctx, user } = request;
  const aliases = await aliasesOf(ctx.db, user.account_id);
  const boxes = [
    html`<p>
        To move here from another account, and bring its followers along, name it here first. Then go to the
        settings of that account and move it to
        <strong>${handleOfKnown(request, { username: user.username, domain: null })}</strong>.
      </p>
      <p>An alias alone changes nothing, and everybody can see it. Posts do not move.</p>
      ${addForm(request, tried)}`,
    aliases.length > 0 &&
      html`<h2>Aliases</h2>
        ${aliases.map((alias) => aliasLine(request, alias))}`,
  ];
  return settingsPage(request, 'Moving here', boxes, tried);
}

const addForm = (request: SignedInRequest, tried: Tried | undefined): Html =>
  form(
    request,
    html`${handleField({
      name: 'handle',
      label: 'The old account',
      hint: `As in @name@server.example. ${MAX_ALIASES} at most.`,
      value: tried?.fields['handle'] ?? '',
    })}
    ${button('Add the alias')}`,
    { hidden: { step: 'add' } },
  );

function aliasLine(request: SignedInRequest, alias: Alias): Html {
  const handle = handleOfKnown(request, alias);
  return html`<p>${handle}</p>
    ${form(
      request,
      html`<button type="submit" class="plain" aria-label="${`Remove ${handle}`}">Remove</button>`,
      { hidden: { step: 'remove', uri: alias.uri } },
    )}`;
}
