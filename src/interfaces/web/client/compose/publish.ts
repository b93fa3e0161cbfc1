import { pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { formKey } from '#interfaces/web/page/form-key.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { ownPath } from '#interfaces/web/page/own-path.ts';
import {
  type Fields,
  type Files,
  type SignedInRequest,
  type Tried,
  userPage,
  type WebRequest,
  type WebResponse,
} from '#interfaces/web/page/page.ts';
import type { JsonObject } from '#kernel/event.ts';
import type { ScheduledStatus, Status } from '#mastodon/schemas/index.ts';
import { type Attached, attachedTo, FILE_LIMITS, saveTexts, withUploads } from './attachments.ts';
import { bodyOf } from './body.ts';
import { composer, PUBLISH } from './composer.ts';
import { type Desk, deskFor } from './desk.ts';
import { changedBy, type Draft, draftOf } from './draft.ts';
import { keptNote } from './kept.ts';
import { deskOfAddress, withDefaults } from './prefill.ts';
import { type Problem, refusal, type Refused, refusedBy } from './problems.ts';
import { contradictionIn } from './schedule.ts';
import { shownAgain } from './shown-again.ts';

/**
 * `/publish`: the composer. Its buttons are named `do`: `post`, also without a name, posts; the others show the
 * composer again. A refused draft is shown again as it was typed, files included.
 */
export const publishPage = userPage({
  path: PUBLISH,
  acts: true,
  nested: true,
  files: FILE_LIMITS,
  show: (request, tried) => (tried ? refusedComposer(request, tried) : showComposer(request)),
  submit,
  keep: keepPost,
});

/** Shows the composer that the address asks for. */
export const showComposer = async (request: SignedInRequest): Promise<WebResponse> =>
  composerPage(request, await deskOfAddress(request));

/** Returns the page around a composer. */
export const composerPage = (request: WebRequest, desk: Desk): WebResponse => {
  const whole = composer(request, desk);
  if (request.wantsFragment) return { fragment: whole };
  return {
    title: 'New post',
    hidden: true,
    body: html`${pageHead('New post')} ${noticeBox(request)} ${whole}`,
  };
};

async function refusedComposer(
  request: WebRequest,
  { fields, nested = {}, problems }: Tried,
): Promise<WebResponse> {
  const draft = draftOf(fields, nested);
  const said = problems.map((text): Problem => ({ place: 'other', text }));
  return composerPage(request, await deskFor(request, draft, { problems: said }));
}

async function submit(
  request: SignedInRequest,
  fields: Fields,
  files: Files,
  nested: JsonObject,
): Promise<WebResponse> {
  const act = 'more' in fields ? 'show' : (fields['do'] ?? 'post');
  const sent = await withUploads(request, draftOf(fields, nested), files);
  const again = (draft: Draft, refused: Refused): Promise<WebResponse> =>
    shownAgain(request, { draft, known: sent.uploaded, page: composerPage }, refused);
  if (act !== 'post') {
    const draft = await withDefaults(request, changedBy(sent.draft, act));
    return again(draft, refusal(...sent.problems));
  }
  if (sent.problems.length > 0) return again(sent.draft, refusal(...sent.problems));
  const outcome = await post(request, sent.draft, sent.uploaded);
  if ('problems' in outcome) return again(sent.draft, outcome);
  return afterwards(outcome.entity, sent.draft);
}

type Posted = Status | ScheduledStatus;

/** Posts a draft, or schedules it; a form that is sent twice posts once. */
async function post(
  request: SignedInRequest,
  draft: Draft,
  uploaded: Attached,
): Promise<Refused | { entity: Posted }> {
  const contradiction = contradictionIn(draft, request.ctx.now);
  if (contradiction) return contradiction;
  try {
    const { attached } = await attachedTo(request, draft, uploaded);
    const problems = await saveTexts(request, draft, attached);
    if (problems.length > 0) return refusal(...problems);
    return await request.api('POST v1/statuses', {
      body: bodyOf(draft),
      // Files that are sent twice are two files.
      ...formKey(draft.key, bodyOf({ ...draft, media: [] })),
    });
  } catch (error) {
    return refusedBy(error);
  }
}

/** Leads back to the page that the composer came from, else to the new post. */
function afterwards(entity: Posted, { returnTo }: Draft): WebResponse {
  const back = ownPath(returnTo);
  if ('scheduled_at' in entity) return { redirect: saying('/scheduled', 'post_scheduled') };
  return { redirect: saying(back ?? statusPath(entity), 'posted') };
}

/** Shows what was typed after the session ended, or while another user is signed in. */
export async function keepPost(
  request: WebRequest,
  { fields, nested = {}, problems }: Tried,
): Promise<WebResponse> {
  const note = keptNote(request, problems, 'Post');
  return composerPage(request, await deskFor(request, draftOf(fields, nested), { note }));
}
