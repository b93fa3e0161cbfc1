import { pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { statusItem } from '#interfaces/web/entities/status.ts';
import { strangersView } from '#interfaces/web/entities/view.ts';
import { CSRF_FIELD, hiddenFields, problemBox } from '#interfaces/web/page/forms.ts';
import { signInThen } from '#interfaces/web/page/layout.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { ownPath } from '#interfaces/web/page/own-path.ts';
import { type SignedInRequest, type Tried, userPage, type WebResponse } from '#interfaces/web/page/page.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { DeletedStatus, Status } from '#mastodon/schemas/index.ts';
import { namesPost } from '../names-post.ts';
import { deskFor } from './desk.ts';
import { type Draft, draftOf, hiddenFieldsOf } from './draft.ts';
import { keptNote } from './kept.ts';
import { draftOfPost, ownPost } from './own-post.ts';
import { withDefaults } from './prefill.ts';
import { composerPage } from './publish.ts';

/**
 * `/@alice/1/delete`: asks before it deletes a post. The form carries the whole post, so that the composer of
 * "Delete & redraft", which is the reply to the form, survives a reload and the end of the session.
 */
export const deletePage = userPage({
  path: '/@:name/:id/delete',
  owns: namesPost,
  nested: true,
  show: async (request, tried) => {
    const { status, source } = await ownPost(request);
    const own = { key: request.ctx.newId(), returnTo: ownPath(request.query.get('return_to')) ?? '' };
    return confirmation(request, status, draftOfPost({ ...status, text: source.text }, own), tried);
  },
  submit: async (request, fields, _files, nested) => {
    const sent = draftOf(fields, nested);
    const deleted = await deleteOnce(request, sent.key);
    if (fields['do'] !== 'redraft') {
      return { redirect: saying(ownPath(sent.returnTo) ?? `/@${request.user.username}`, 'post_deleted') };
    }
    const draft = deleted ? draftOfPost(deleted, { key: sent.key, returnTo: '' }) : { ...sent, returnTo: '' };
    return composerPage(
      request,
      await deskFor(request, await withDefaults(request, draft), { note: REDRAFT }),
    );
  },
  keep: async (request, { fields, nested = {}, problems }) => {
    // Nothing of a post that is there is lost; after a reload it may be deleted already.
    if (fields['do'] !== 'redraft') return { redirect: signInThen(ownPath(request.path)) };
    const note = keptNote(request, problems, 'Post');
    return composerPage(request, await deskFor(request, draftOf(fields, nested), { note }));
  },
});

const REDRAFT: Html = html`<p class="note" role="status">
  The post is deleted. Its text is below: nothing is published until you press “Post”.
</p>`;

/** Deletes a post; undefined when it was deleted before. @throws RookeryError `not_found` for posts of others */
async function deleteOnce(
  request: SignedInRequest<{ id: string }>,
  key: string,
): Promise<DeletedStatus | undefined> {
  const { id } = request.params;
  try {
    const keyed = key === '' ? {} : { key };
    const { entity } = await request.api('DELETE v1/statuses/:id', { params: { id }, ...keyed });
    return entity;
  } catch (error) {
    if (!isRookeryError(error) || error.code !== 'not_found') throw error;
    if (await isThere(request, id)) throw error;
    return undefined;
  }
}

async function isThere(request: SignedInRequest, id: string): Promise<boolean> {
  try {
    await request.api('GET v1/statuses/:id', { params: { id } });
    return true;
  } catch (error) {
    if (isRookeryError(error) && ['not_found', 'gone'].includes(error.code)) return false;
    throw error;
  }
}

function confirmation(
  request: SignedInRequest,
  status: Status,
  draft: Draft,
  tried: Tried | undefined,
): WebResponse {
  const both = [
    html`<button class="danger" name="do" value="delete">Delete</button>`,
    html`<button class="danger" name="do" value="redraft">Delete &amp; redraft</button>`,
  ];
  // The main one comes first: the Enter key presses it too.
  const buttons = request.query.has('redraft') ? both.toReversed() : both;
  const fields: [string, string][] = [[CSRF_FIELD, request.csrf], ...hiddenFieldsOf(draft)];
  return {
    title: 'Delete post?',
    hidden: true,
    body: html`${pageHead('Delete post?')} ${problemBox(tried)}
      <section class="box">${statusItem(status, strangersView(request.ctx))}</section>
      <form method="post" action="${request.path}" class="box">
        ${hiddenFields(fields)}
        <p>
          This cannot be undone. Favourites and boosts are lost, and replies to it lose their context. “Delete
          &amp; redraft” opens the composer with the text, media and poll of the post.
        </p>
        <div class="buttons">
          ${buttons}
          <a class="button plain" href="${statusPath(status)}">Cancel</a>
        </div>
      </form>`,
  };
}
