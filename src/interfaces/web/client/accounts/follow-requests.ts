import { pageHead } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { personItem, personList } from '#interfaces/web/entities/person.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { hereOf, viewOf } from '#interfaces/web/page/request-view.ts';
import { invalid, isRookeryError, notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { listButton } from './own-lists.ts';
import { offeringUndo, undoOnAccount } from './undo.ts';

const ACCEPTED = {
  said: (name: Parameters<typeof html>[1]) => html`You accepted the request of ${name}.`,
  name: 'remove_from_followers',
  label: 'Remove from followers',
};

/** `/follow_requests`: the accounts that ask to follow the user. */
export const followRequestsPage = userPage({
  path: '/follow_requests',
  show: async (request, tried) => {
    const { entity, next } = await request.api('GET v1/follow_requests', { query: placeIn(request.query) });
    const view = viewOf(request);
    const here = hereOf(request);
    const items = entity.map((account) =>
      personItem(account, view, {
        actions: html`${listButton('Accept', here, account, { field: 'accept', look: '' })}
        ${listButton('Reject', here, account, { field: 'reject', look: 'danger' })}`,
        note: true,
      }),
    );
    return {
      title: 'Follow requests',
      hidden: true,
      body: html`${pageHead('Follow requests')} ${noticeBox(request)} ${problemBox(tried)}
      ${await undoOnAccount(request, ACCEPTED)}
      ${personList(items, { icon: 'user-plus', text: "You don't have any follow requests yet." })}
      ${olderLink(request, next)}`,
    };
  },
  submit: async (request, { accept, reject }) => {
    const id = accept ?? reject ?? '';
    if (!isId(id)) throw notFound();
    const name = accept === undefined ? 'reject' : 'authorize';
    try {
      await request.api(`POST v1/follow_requests/:account_id/${name}`, { params: { account_id: id } });
    } catch (error) {
      // It was answered before, or withdrawn.
      if (isRookeryError(error) && error.code === 'not_found') throw invalid('There is no such request now.');
      throw error;
    }
    return {
      redirect:
        accept === undefined ? saying(hereOf(request), 'request_rejected') : offeringUndo(request, id),
    };
  },
});
