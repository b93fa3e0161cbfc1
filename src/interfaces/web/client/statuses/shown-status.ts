import { handleOf, statusPath } from '#interfaces/web/entities/addresses.ts';
import { plainName } from '#interfaces/web/entities/byline.ts';
import type { WebRequest, WebResponse } from '#interfaces/web/page/page.ts';
import type { PathParams } from '#kernel/endpoint.ts';
import type { Status } from '#mastodon/schemas/index.ts';

/**
 * Reads the post in the path. Returns a redirect instead for a boost, which leads to the original, and for the
 * name of another account; `rest` follows the id. @throws RookeryError `not_found`
 */
export async function shownStatus(
  request: WebRequest<PathParams<'/@:name/:id'>>,
  rest = '',
): Promise<{ status: Status } | { elsewhere: WebResponse }> {
  const { name, id } = request.params;
  const { entity } = await request.api('GET v1/statuses/:id', { params: { id } });
  const status = entity.reblog ?? entity;
  if (status.id === id && status.account.acct.toLowerCase() === localName(name, request).toLowerCase()) {
    return { status };
  }
  const { query } = request;
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return { elsewhere: { redirect: `${statusPath(status)}${rest}${search}` } };
}

/** Returns the name of a local account without the domain of this server. */
const localName = (name: string, { ctx }: WebRequest): string => {
  const end = `@${ctx.instance.domain}`;
  return name.toLowerCase().endsWith(end) ? name.slice(0, -end.length) : name;
};

export const titleOf = ({ account }: Status, { ctx }: WebRequest): string =>
  `Post by ${plainName(account)} (${handleOf(account, ctx.instance)})`;
