import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { CSRF_FIELD, hiddenFields } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { hereOf } from '#interfaces/web/page/request-view.ts';
import { CHARACTERS_PER_URL, MAX_CHARACTERS } from '#mastodon/limits.ts';
import { shortAudienceField } from './choices.ts';
import { MAX_TEXT, PUBLISH } from './composer.ts';

/** Renders a composer for the top of a page: it leads back there, and its other button opens the whole one. */
export async function smallComposer(request: SignedInRequest): Promise<Html> {
  const { entity } = await request.api('GET v1/preferences');
  const hidden = { [CSRF_FIELD]: request.csrf, key: request.ctx.newId(), return_to: hereOf(request) };
  return html`<form
    method="post"
    action="${PUBLISH}"
    class="box compose small-compose"
    data-compose
    data-count-max="${MAX_CHARACTERS}"
    data-count-url="${CHARACTERS_PER_URL}"
  >
    ${hiddenFields(Object.entries(hidden))}
    <label class="hush" for="status">New post</label>
    <textarea
      id="status"
      name="status"
      rows="2"
      maxlength="${MAX_TEXT}"
      dir="auto"
      placeholder="What’s on your mind?"
      aria-describedby="status-hint"
    ></textarea>
    <p class="hush" id="status-hint" data-count-hint>At most ${MAX_CHARACTERS} characters.</p>
    <div class="compose-foot">
      ${shortAudienceField(entity['posting:default:visibility'])}
      <button class="plain" formaction="${PUBLISH}" name="more" value="true">
        ${icon('sliders-horizontal')}<span class="wide-text">More options</span>
      </button>
      <button name="do" value="post">Post</button>
    </div>
  </form>`;
}
