import { createPost, postInput } from '../../../../commands/statuses/index.ts';
import type { Status } from '../../../mastodon/schemas/index.ts';
import { preferencesOf } from '../../../../queries/preferences.ts';
import { showStatus } from '../../../../queries/statuses/index.ts';
import { validationFailed } from '../../http/errors.ts';
import { identify } from '../../http/idempotency.ts';
import { RAILS_MESSAGES } from '../../http/schema-messages.ts';
import { isId } from '../../../kernel/ids.ts';
import { MAX_CHARACTERS } from '../../../mastodon/limits.ts';
import { replyOf } from '../page/call-endpoint.ts';
import { longField, textField } from '../design/fields.ts';
import { html, type Html, type Part } from '../design/html.ts';
import { statusItem } from '../entities/status.ts';
import { button, form } from '../page/forms.ts';
import { settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { userPage, type WebResponse, type Fields, type Tried, type SignedInRequest } from '../page/page.ts';
import { strangersView } from '../entities/view.ts';

const SHARE = '/share';
/** UTF-16 units. More than a post may have, because links count as shorter than they are. */
const MAX_TEXT = 10_000;

/**
 * `/share?title=&text=&url=`: other sites and browsers lead users here to share something, as on Mastodon.
 * After posting, `posted` is the id of the new post.
 */
export const sharePage = userPage({
  path: SHARE,
  acts: true,
  show: showComposer,
  submit: async ({ ctx, user, services }, fields) => {
    const { account_id: accountId, username } = user;
    await services.limitUser('statuses', { ip: ctx.ip, accountId });
    const input = inputOf(fields);
    // The key of the page and the post: a form that is submitted twice posts once.
    const sent = { owner: accountId, key: fields['key'] ?? '', content: JSON.stringify([SHARE, input]) };
    const { firstId: id } = await identify(ctx.db, sent, { now: ctx.now, id: ctx.newId() });
    await createPost(ctx, { id: accountId, username, applicationId: null }, { id, pollId: id, input });
    return { redirect: saying(`${SHARE}?posted=${id}`, 'posted') };
  },
});

/** Returns the form as input of the API. @throws RookeryError `invalid` */
function inputOf(fields: Fields): ReturnType<typeof postInput.parse> {
  const asked = {
    // Forms end lines with two characters.
    status: (fields['text'] ?? '').replaceAll('\r\n', '\n'),
    spoiler_text: fields['spoiler_text'] ?? '',
    visibility: fields['visibility'] ?? '',
  };
  const { success, data, error } = postInput.safeParse(asked, RAILS_MESSAGES);
  if (!success) throw validationFailed(error);
  return data;
}

async function showComposer(request: SignedInRequest, tried?: Tried): Promise<WebResponse> {
  const { ctx, user, query } = request;
  const posted = tried ? null : query.get('posted');
  if (posted !== null) return showPosted(request, posted);
  const preferences = await preferencesOf(ctx.db, user.account_id);
  const fields = tried?.fields ?? {
    text: ['title', 'text', 'url']
      .flatMap((name) => query.get(name) ?? [])
      .filter(Boolean)
      .join(' '),
    visibility: preferences['posting:default:visibility'],
    key: ctx.newId(),
  };
  return settingsPage(request, 'New post', [composer(request, fields)], tried);
}

/** Shows the new post to its author: the public page shows public posts only. */
async function showPosted(request: SignedInRequest, id: string): Promise<WebResponse> {
  if (!isId(id)) return { redirect: SHARE };
  const { ctx } = request;
  const { entity } = await replyOf<Status>(ctx, showStatus, { params: { id } });
  const again = html`<p><a href="${SHARE}">Write another post</a></p>`;
  return settingsPage(request, 'New post', [html`${statusItem(entity, strangersView(ctx))} ${again}`]);
}

const AUDIENCES: Record<Status['visibility'], string> = {
  public: 'Public: anyone on and off this server',
  unlisted: 'Quiet public: not in timelines, trends and search',
  private: 'Followers: only your followers',
  direct: 'Private mention: everyone mentioned in the post',
};

function composer(request: SignedInRequest, fields: Fields): Html {
  const { text = '', spoiler_text: warning = '', visibility: chosen, key = '' } = fields;
  const field = { autocomplete: 'off' };
  const content: Part = html`${longField(
      {
        ...field,
        name: 'text',
        label: 'Text',
        hint: `At most ${MAX_CHARACTERS} characters, with the content warning.`,
        value: text,
        focus: true,
      },
      MAX_TEXT,
    )}
    ${textField(
      { ...field, name: 'spoiler_text', label: 'Content warning (optional)', value: warning },
      MAX_CHARACTERS,
    )}
    <label for="visibility">Visibility</label>
    <select id="visibility" name="visibility">
      ${Object.entries(AUDIENCES).map(
        ([name, label]) =>
          html`<option value="${name}" ${name === chosen && html`selected`}>${label}</option>`,
      )}
    </select>
    ${button('Post')}`;
  return form(request, content, { action: SHARE, hidden: { key } });
}
