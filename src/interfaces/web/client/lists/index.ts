import { action } from '#interfaces/web/page/action.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { editListPage } from './edit.ts';
import { followedTagsPage } from './followed-tags.ts';
import { listPage } from './list.ts';
import { deleteListPage, listsPage } from './lists.ts';

/** Lists, followed hashtags. */
export const listPages: readonly WebPage[] = [
  listsPage,
  listPage,
  editListPage,
  deleteListPage,
  followedTagsPage,
  action('POST v1/lists/:id/accounts'),
  action('DELETE v1/lists/:id/accounts'),
];
