import { type Html, html } from '#interfaces/web/design/html.ts';
import type { Announcement } from '#mastodon/schemas/index.ts';

/** Renders the reactions to an announcement as buttons that add or remove the user's own. */
export const reactionButtons = ({ id, reactions }: Announcement): readonly Html[] =>
  reactions.map(({ name, count, me = false, static_url: picture }) => {
    const address = `/web/v1/announcements/${id}/reactions/${encodeURIComponent(name)}/${me ? 'delete' : 'put'}`;
    return html`<button
      form="act"
      formaction="${address}"
      class="plain small reaction"
      aria-pressed="${String(me)}"
      aria-label="${name}, ${count}"
    >
      ${picture === undefined ? name : html`<img class="emoji" src="${picture}" alt="" />`}<span
        >${count}</span
      >
    </button>`;
  });
