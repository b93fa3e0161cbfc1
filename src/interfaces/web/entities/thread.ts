import type { Context, Status } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { isHidden } from './filtered.ts';
import { statusItem, wholeStatus } from './status.ts';
import type { Shown } from './status-content.ts';
import type { View } from './view.ts';

/** Deeper replies are not indented further. */
const DEEPEST = 4;

/** Renders a post between its ancestors and its replies, each below the post that it replies to. */
export const thread = (
  status: Status,
  { ancestors, descendants }: Context,
  view: View,
  shown: Shown = {},
): Html =>
  html`<div class="feed thread">
    ${above(ancestors, view)}
    ${wholeStatus(status, view, { ...shown, belowParent: ancestors.at(-1)?.id === status.in_reply_to_id })}
    ${below(status, descendants, view)}
  </div>`;

const above = (ancestors: readonly Status[], view: View): Html[] =>
  ancestors
    .filter((each) => !isHidden(each, view))
    .map((each, index, shown) =>
      statusItem(each, view, {
        place: 'above',
        belowParent: index > 0 && each.in_reply_to_id === shown[index - 1]?.id,
      }),
    );

interface Reply {
  status: Status;
  depth: number;
}

function below(status: Status, descendants: readonly Status[], view: View): Html[] {
  const replies = nested(
    status.id,
    descendants.filter((each) => !isHidden(each, view)),
  );
  return replies.map(({ status: reply, depth }, index) => {
    const parent = replies[index - 1]?.status.id ?? status.id;
    return statusItem(reply, view, {
      place: `reply d${Math.min(depth, DEEPEST)}`,
      // Deeper ones say whom they answer, because they stand in one line.
      belowParent: depth === 1 || (depth <= DEEPEST && reply.in_reply_to_id === parent),
    });
  });
}

/**
 * Puts each reply below its parent, with its depth; the order among siblings stays. A reply to a post that is
 * not shown stands at the first level.
 */
export function nested(root: string, descendants: readonly Status[]): Reply[] {
  const known = new Set(descendants.map(({ id }) => id));
  const children = Map.groupBy(descendants, ({ in_reply_to_id: parent }) =>
    parent !== null && known.has(parent) ? parent : root,
  );
  const replies: Reply[] = [];
  const open: Reply[] = (children.get(root) ?? []).map((status) => ({ status, depth: 1 })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { status, depth } = next;
    replies.push(next);
    const inside = (children.get(status.id) ?? []).map((each) => ({ status: each, depth: depth + 1 }));
    open.push(...inside.reverse());
  }
  return replies;
}
