import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { statusItem } from '#interfaces/web/entities/status.ts';
import { strangersView } from '#interfaces/web/entities/view.ts';
import { CSRF_FIELD, hiddenFields } from '#interfaces/web/page/forms.ts';
import type { WebRequest } from '#interfaces/web/page/page.ts';
import { CHARACTERS_PER_URL, MAX_CHARACTERS } from '#mastodon/limits.ts';
import { audienceField, languageField, quotePolicyField, scheduleField } from './choices.ts';
import type { Desk, Referred } from './desk.ts';
import { mediaFields } from './media-fields.ts';
import { pollFields } from './poll-fields.ts';
import { problemsAt, problemsOn } from './problem-notes.ts';

export const PUBLISH = '/publish';
/** UTF-16 units. More than a post may have, because links count as shorter than they are. */
export const MAX_TEXT = 10_000;

/** Renders the composer of a new post, with what it answers and quotes. */
export const composer = (request: WebRequest, desk: Desk): Html =>
  html`${problemsOn(desk)} ${desk.note} ${referredPost(request, 'In reply to', desk.parent)}
  ${referredPost(request, 'Quoting', desk.quoted)}
  ${composerForm(request, desk, {
    action: PUBLISH,
    label: 'Post',
    choices: html`<div class="compose-choices">
        ${audienceField(desk.draft)} ${languageField(desk.draft)} ${quotePolicyField(desk.draft)}
      </div>
      ${scheduleField(desk, request.ctx.now)}`,
  })}`;

interface FormOptions {
  action: string;
  /** The text of the main button. */
  label: string;
  choices: Part;
  /** The post is there already. */
  edits?: boolean;
}

/** Renders the form. Its first button does no harm, because browsers press it for the Enter key. */
export function composerForm(
  request: WebRequest,
  desk: Desk,
  { action, label, choices, edits }: FormOptions,
): Html {
  const { draft } = desk;
  const hidden = {
    [CSRF_FIELD]: request.csrf,
    key: draft.key,
    return_to: draft.returnTo,
    in_reply_to_id: draft.inReplyTo,
    quoted_status_id: draft.quoted,
    ...(edits ? { visibility: draft.visibility } : {}),
  };
  return html`<form
    method="post"
    action="${action}"
    enctype="multipart/form-data"
    novalidate
    class="box compose"
    data-compose
    data-count-max="${MAX_CHARACTERS}"
    data-count-url="${CHARACTERS_PER_URL}"
  >
    ${hiddenFields(Object.entries(hidden))}
    <button class="hush" name="do" value="show" tabindex="-1" aria-hidden="true">Keep</button>
    ${
      request.user &&
      html`<p class="quiet">
        Posting as <strong dir="ltr">@${request.user.username}@${request.ctx.instance.domain}</strong>
      </p>`
    }
    ${goneNote(desk)} ${warningField(draft.warning)} ${textField(desk)}
    ${(!draft.poll || draft.media.length > 0) && mediaFields(request, desk)}
    ${(draft.poll !== undefined || draft.media.length === 0) && pollFields(desk, edits === true)} ${choices}
    <div class="buttons compose-foot">
      <button name="do" value="post">${label}</button>
    </div>
  </form>`;
}

export const warningField = (warning: string): Html =>
  html`<details class="fold" ${warning !== '' && html`open`}>
    <summary>${icon('triangle-alert')}Content warning${icon('chevron-down')}</summary>
    <label for="spoiler_text">Text and media are hidden behind this warning</label>
    <input
      type="text"
      id="spoiler_text"
      name="spoiler_text"
      value="${warning}"
      maxlength="${MAX_CHARACTERS}"
      autocomplete="off"
      dir="auto"
    />
  </details>`;

function textField(desk: Desk): Html {
  const { text } = desk.draft;
  const wrong = desk.problems.some(({ place }) => place === 'status');
  // HTML drops the first line end after the tag.
  return html`<label for="status">Text</label>
    ${problemsAt(desk, 'status')}
    <textarea
      id="status"
      name="status"
      rows="6"
      maxlength="${MAX_TEXT}"
      dir="auto"
      ${desk.problems.length === 0 && html`autofocus`}
      aria-describedby="status-hint${wrong && ' status-problem'}"
      ${wrong && html`aria-invalid="true"`}
    >
${text}</textarea>
    <p class="quiet" id="status-hint" data-count-hint>
      At most ${MAX_CHARACTERS} characters, with the content warning. A link counts as ${CHARACTERS_PER_URL}.
    </p>`;
}

/** Renders the other post as strangers see it: without buttons, which would be forms in the form. */
const referredPost = ({ ctx }: WebRequest, title: string, post: Referred): Html | false =>
  typeof post === 'object' &&
  html`<section class="box referred" aria-label="${title}">
    <h2 class="quiet">${title}</h2>
    ${statusItem(post, strangersView(ctx))}
  </section>`;

const goneNote = ({ parent, quoted }: Desk): Html | false =>
  (parent === 'gone' || quoted === 'gone') &&
  html`<div class="note">
    <p>
      The post that you ${parent === 'gone' ? 'reply to' : 'quote'} was deleted, or is no longer for you. You
      can post yours without it.
    </p>
    <p><button class="small plain" name="do" value="alone">Post without it</button></p>
  </div>`;
