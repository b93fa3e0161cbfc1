import { backLink, pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { ownPath } from '#interfaces/web/page/own-path.ts';
import {
  type Fields,
  type Files,
  type SignedInRequest,
  userPage,
  type WebRequest,
  type WebResponse,
} from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import type { MediaAttachment, Status } from '#mastodon/schemas/index.ts';
import { namesPost } from '../names-post.ts';
import { type Attached, changedTexts, FILE_LIMITS, withUploads } from './attachments.ts';
import { contentOf } from './body.ts';
import { languageField, quotePolicyField } from './choices.ts';
import { composerForm } from './composer.ts';
import { type Desk, deskFor } from './desk.ts';
import { changedBy, type Draft, draftOf, type TypedTexts } from './draft.ts';
import { keptNote } from './kept.ts';
import { type AtPost, draftOfPost, ownPost, postOfAddress } from './own-post.ts';
import { withDefaults } from './prefill.ts';
import { problemsOn } from './problem-notes.ts';
import { type Problem, refusal, type Refused, refusedBy } from './problems.ts';
import { composerPage } from './publish.ts';
import { contradictionIn } from './schedule.ts';
import { shownAgain } from './shown-again.ts';

/** `/@alice/1/edit`: changes a post; its buttons are those of the composer. */
export const editPage = userPage({
  path: '/@:name/:id/edit',
  owns: namesPost,
  acts: true,
  nested: true,
  files: FILE_LIMITS,
  show: async (request, tried) => {
    if (tried)
      return shown(request, draftOf(tried.fields, tried.nested ?? {}), refusal(...said(tried.problems)));
    const { status, source } = await ownPost(request);
    const draft = draftOfPost(
      { ...status, text: source.text },
      { key: request.ctx.newId(), returnTo: backOf(request) },
    );
    const { poll } = draft;
    // The end of the poll stays unless another one is chosen.
    return shown(request, { ...draft, poll: poll && { ...poll, expiresIn: '' } }, refusal(), filesOf(status));
  },
  submit,
  keep: async (request, { fields, nested = {}, problems }) => {
    const note = keptNote(request, problems, 'Save changes');
    const draft = draftOf(fields, nested);
    const known = request.user ? filesOf(await postOfAddress(request)) : undefined;
    return pageOf(request, await deskFor(request, draft, { note, ...(known ? { known } : {}) }));
  },
});

const said = (problems: readonly string[]): Problem[] => problems.map((text) => ({ place: 'other', text }));
const backOf = ({ query }: WebRequest): string => ownPath(query.get('return_to')) ?? '';
const filesOf = ({ media_attachments }: Status): Attached =>
  new Map(media_attachments.map((each) => [each.id, each]));

async function submit(
  request: SignedInRequest<AtPost>,
  fields: Fields,
  files: Files,
  nested: JsonObject,
): Promise<WebResponse> {
  const act = fields['do'] ?? 'post';
  const status = await stillThere(request);
  if (!status) return asNewPost(request, draftOf(fields, nested));
  const sent = await withUploads(request, draftOf(fields, nested), files);
  const known: Attached = new Map([...filesOf(status), ...sent.uploaded]);
  if (act !== 'post') return shown(request, changedBy(sent.draft, act), refusal(...sent.problems), known);
  const outcome =
    sent.problems.length > 0 ? refusal(...sent.problems) : await save(request, status, sent.draft, known);
  if ('problems' in outcome) return shown(request, sent.draft, outcome, known);
  return { redirect: saying(ownPath(sent.draft.returnTo) ?? statusPath(status), 'post_edited') };
}

async function stillThere(request: SignedInRequest<AtPost>): Promise<Status | undefined> {
  try {
    return (await ownPost(request)).status;
  } catch (error) {
    if (isRookeryError(error) && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The post was deleted while it was edited: what was typed becomes a new one. */
async function asNewPost(request: SignedInRequest, draft: Draft): Promise<WebResponse> {
  const problems: Problem[] = [
    { place: 'other', text: 'This post was deleted meanwhile. Press “Post” to publish it as a new one.' },
  ];
  const desk = await deskFor(request, await withDefaults(request, draft), { problems });
  return { ...composerPage(request, desk), status: 422 };
}

async function save(
  request: SignedInRequest,
  { id }: Status,
  draft: Draft,
  known: Attached,
): Promise<Refused | { entity: Status }> {
  const contradiction = contradictionIn({ ...draft, scheduledAt: '' }, request.ctx.now);
  if (contradiction) return contradiction;
  try {
    const { attached } = await deskFor(request, { ...draft, inReplyTo: '', quoted: '' }, { known });
    const texts = draft.media.flatMap((each) => {
      const changes = textsOf(attached.get(each), draft.texts[each]);
      return changes ? [{ id: each, ...changes }] : [];
    });
    return await request.api('PUT v1/statuses/:id', {
      params: { id },
      body: {
        ...contentOf(draft),
        media_attributes: texts,
        quote_approval_policy: asSent(draft.quotePolicy),
      },
      ...(draft.key === '' ? {} : { key: draft.key }),
    });
  } catch (error) {
    return refusedBy(error);
  }
}

const textsOf = (
  attachment: MediaAttachment | undefined,
  typed: TypedTexts | undefined,
): ReturnType<typeof changedTexts> => attachment && changedTexts(attachment, typed);

const shown = (
  request: SignedInRequest,
  draft: Draft,
  refused: Refused,
  known: Attached = new Map(),
): Promise<WebResponse> => shownAgain(request, { draft, known, page: pageOf }, refused);

function pageOf(request: WebRequest, desk: Desk): WebResponse {
  const { path, params } = request;
  const { name = '', id = '' } = params;
  const whole = html`${problemsOn(desk)} ${desk.note}
  ${composerForm(request, desk, {
    action: path,
    label: 'Save changes',
    edits: true,
    choices: html`<div class="compose-choices">
      ${languageField(desk.draft)} ${quotePolicyField(desk.draft)}
    </div>`,
  })}`;
  if (request.wantsFragment) return { fragment: whole };
  return {
    title: 'Edit post',
    hidden: true,
    body: html`${backLink(`/@${name}/${id}`, 'Back to the post')} ${pageHead('Edit post')} ${whole}`,
  };
}
