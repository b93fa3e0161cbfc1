import { keysetStatement, type KeysetStatement } from '../../src/kernel/paging.ts';
import { PAGE_JOINS, pageVisibleTo } from './page.ts';

/**
 * The statuses that the reader ($1) has marked, paged by the mark's own id; posts that are gone or hidden by now are left
 * out.
 */
export const markedBy = (mark: 'favourite' | 'bookmark'): KeysetStatement =>
  keysetStatement(
    `${mark}s`,
    (order) => `
      select s.id, i.${mark}_id as cursor from interactions i join statuses s on s.id = i.status_id ${PAGE_JOINS}
      where i.account_id = $1 and i.${mark}_id < $2 and i.${mark}_id > $3 and ${pageVisibleTo('$1')}
      order by i.${mark}_id ${order} limit $4`,
  );
