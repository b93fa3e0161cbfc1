import type { Status } from '#mastodon/schemas/index.ts';
import type { Choice } from '../design/choice-fields.ts';
import { type Html, html } from '../design/html.ts';
import { icon, type IconName } from '../design/icons.ts';

interface Audience {
  name: string;
  /** Said when choosing it. */
  text: string;
  icon: IconName;
}

/** The visibilities by Mastodon's names for them. */
export const AUDIENCES: Readonly<Record<Status['visibility'], Audience>> = {
  public: { name: 'Public', text: 'Anyone on and off this server', icon: 'globe' },
  unlisted: { name: 'Quiet public', text: 'Hidden from timelines, trends and search', icon: 'moon' },
  private: { name: 'Followers', text: 'Only your followers', icon: 'lock' },
  direct: { name: 'Private mention', text: 'Everyone mentioned in the post', icon: 'at-sign' },
};

/** Renders the sign of a visibility other than public. */
export const visibilityMark = (visibility: Status['visibility']): Html | false =>
  visibility !== 'public' &&
  html`<span title="${AUDIENCES[visibility].name}"
    >${icon(AUDIENCES[visibility].icon)}<span class="hush">${AUDIENCES[visibility].name}</span></span
  >`;

/** The default audiences that a user may choose, for a field. */
export const AUDIENCE_CHOICES: readonly Choice[] = (['public', 'unlisted', 'private'] as const).map(
  (value) => ({ value, label: AUDIENCES[value].name, hint: AUDIENCES[value].text }),
);

/** The accounts that may quote a post, as choices of a field. */
export const QUOTE_POLICIES: readonly Choice[] = [
  { value: 'public', label: 'Anyone' },
  { value: 'followers', label: 'Followers only' },
  { value: 'nobody', label: 'Just me' },
];
