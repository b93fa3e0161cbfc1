import type { Instance, RequestContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import type { FilterContext } from '#mastodon/schemas/index.ts';

/** The circumstances in which entities are rendered. */
export interface View {
  instance: Instance;
  /** ISO 8601; times are shown in relation to it. */
  now: string;
  /** The signed-in user, who may act; absent on public pages. */
  user?: { id: Id; csrf: string; here: string } | undefined;
  /** The kind of the page, of which filters apply; absent: none do. */
  filters?: FilterContext | undefined;
}

/** The view of a visitor who is not signed in. */
export const strangersView = ({ instance, now }: Pick<RequestContext, 'instance' | 'now'>): View => ({
  instance,
  now,
});
