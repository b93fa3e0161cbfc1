import { type KeysetStatement, keysetStatement } from '#kernel/paging.ts';
import { PAGE_JOINS, type PageRow, pageVisibleTo } from './page.ts';

/**
 * Lists the statuses that the viewer ($1) has marked, by the id of the mark; deleted and hidden posts are
 * left out.
 */
export const markedBy = (mark: 'favourite' | 'bookmark'): KeysetStatement<PageRow> =>
  keysetStatement(
    `${mark}s`,
    (order) => `
      select s.id, i.${mark}_id as cursor from interactions i join statuses s on s.id = i.status_id ${PAGE_JOINS}
      where i.account_id = $1 and i.${mark}_id < $2 and i.${mark}_id > $3 and ${pageVisibleTo('$1')}
      order by i.${mark}_id ${order} limit $4`,
  );
