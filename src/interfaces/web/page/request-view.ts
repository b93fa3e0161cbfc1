import type { FilterContext } from '#mastodon/schemas/index.ts';
import type { View } from '../entities/view.ts';
import { addressWith } from './address-with.ts';
import type { WebRequest } from './page.ts';

/** Parameters about the previous action. */
const SAID: ReadonlySet<string> = new Set(['done', 'undo']);

/** Returns the local path of a page with its query, to come back to. */
export const hereOf = ({ path, query }: WebRequest): string =>
  addressWith(
    path,
    [...query].filter(([name]) => !SAID.has(name)),
  );

/** Returns the circumstances in which this visitor sees entities. */
export function viewOf(request: WebRequest): View {
  const { ctx, user, csrf } = request;
  const { instance, now } = ctx;
  return {
    instance,
    now,
    user: user && { id: user.account_id, csrf, here: hereOf(request) },
    filters: filtersAt(request.path),
  };
}

/** The pages whose filters are not those of public timelines; the first that matches counts. */
const CONTEXTS: readonly (readonly [RegExp, FilterContext | undefined])[] = [
  [/^\/(home|lists\/)/, 'home'],
  [/^\/(notifications|conversations)/, 'notifications'],
  [/^\/@[^/]+\/\d+/, 'thread'],
  [/^\/@/, 'account'],
  // The reader sees the post of a button already.
  [/^\/web\//, undefined],
];

function filtersAt(path: string): FilterContext | undefined {
  const found = CONTEXTS.find(([form]) => form.test(path));
  return found ? found[1] : 'public';
}
