import { radioField } from '#interfaces/web/design/choice-fields.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { AUDIENCE_CHOICES } from '#interfaces/web/entities/visibility.ts';
import { formKey } from '#interfaces/web/page/form-key.ts';
import { form } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import {
  type Fields,
  type SignedInRequest,
  type Tried,
  userPage,
  type WebResponse,
} from '#interfaces/web/page/page.ts';
import { asSent, unixLines } from '#interfaces/web/page/sent-texts.ts';
import { MAX_CHARACTERS } from '#mastodon/limits.ts';
import { keepPost } from '../compose/index.ts';
import { afterStep, FIRST_POST, stepButtons, stepPage } from './steps.ts';

/** UTF-16 units. More than a post may have, because links count as shorter than they are. */
const MAX_TEXT = 10_000;

/** `/start/post`: the first post of a new user. */
export const firstPostStep = userPage({
  path: FIRST_POST,
  acts: true,
  show: async (request, tried) => {
    if (tried) return shown(request, tried.fields, tried);
    const { entity } = await request.api('GET v1/preferences');
    return shown(request, {
      status: '#introduction ',
      visibility: entity['posting:default:visibility'],
      key: request.ctx.newId(),
    });
  },
  submit: async (request, { status = '', visibility = '', key }) => {
    const body = { status: unixLines(status), visibility: asSent(visibility) };
    await request.api('POST v1/statuses', { body, ...formKey(key, body) });
    return { redirect: saying(afterStep(FIRST_POST), 'posted') };
  },
  keep: (request, tried) =>
    request.user ? shown({ ...request, user: request.user }, tried.fields, tried) : keepPost(request, tried),
});

const shown = (request: SignedInRequest, fields: Fields, tried?: Tried): WebResponse =>
  stepPage(
    request,
    'Write your first post',
    html`<p>
        Say hello: who are you, and what do you care about? With #introduction, others who look for new people
        find your post.
      </p>
      ${postForm(request, fields, tried)}
      <p class="quiet">Pictures, polls and more: <a href="/publish">write it in the full composer</a>.</p>`,
    tried,
  );

const postForm = (request: SignedInRequest, fields: Fields, tried: Tried | undefined): Html =>
  form(
    request,
    html`${longField(
      {
        name: 'status',
        label: 'Your post',
        autocomplete: 'off',
        hint: `At most ${MAX_CHARACTERS} characters.`,
        value: fields['status'] ?? '',
        problems: tried?.byField?.['status'],
      },
      MAX_TEXT,
    )}
    ${radioField({
      name: 'visibility',
      label: 'Visibility',
      chosen: fields['visibility'] ?? 'public',
      choices: AUDIENCE_CHOICES,
    })}
    ${stepButtons(FIRST_POST, 'Post')}`,
    { action: FIRST_POST, hidden: { key: fields['key'] ?? '' } },
  );
