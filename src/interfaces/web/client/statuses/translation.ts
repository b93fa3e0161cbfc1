import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { statusPath } from '#interfaces/web/entities/addresses.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import type { WebRequest } from '#interfaces/web/page/page.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Status, Translation } from '#mastodon/schemas/index.ts';

/** A post with or without its translation. */
export interface Translated {
  /** With the translated texts, if there are any. */
  status: Status;
  translation?: Translation;
  /** It may be translated. */
  offered: boolean;
  /** Why it was not. */
  problem?: string;
}

/** The name of a language in our own. */
const NAMES = new Intl.DisplayNames('en', { type: 'language' });
const nameOf = (code: string): string =>
  (/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code) && NAMES.of(code)) || code;

/** Only public posts may be sent to the translator, which has to know their language. */
export async function mayTranslate(request: WebRequest, status: Status): Promise<boolean> {
  const { visibility, language } = status;
  if (language === null || (visibility !== 'public' && visibility !== 'unlisted')) return false;
  const { entity } = await request.api('GET v1/instance/translation_languages');
  return (entity[language] ?? []).length > 0;
}

/** Translates the post if `?translate=1` asks for that. */
export async function translated(request: WebRequest, status: Status): Promise<Translated> {
  const offered = await mayTranslate(request, status);
  if (!offered || request.query.get('translate') !== '1') return { status, offered };
  try {
    const { entity } = await request.api('POST v1/statuses/:id/translate', { params: { id: status.id } });
    return { status: withTranslation(status, entity), translation: entity, offered };
  } catch (error) {
    if (!isRookeryError(error) || error.code === 'not_found') throw error;
    return { status, offered, problem: PROBLEMS[error.code] ?? 'This post could not be translated.' };
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  forbidden: 'The translator does not know this language, or yours.',
  unavailable: 'The translator does not reply. Please try again later.',
};

function withTranslation(status: Status, translation: Translation): Status {
  const { content, spoiler_text, language, poll, media_attachments: media } = translation;
  const titles = poll?.options.map(({ title }) => title) ?? [];
  const descriptions = new Map(media.map(({ id, description }) => [id, description]));
  return {
    ...status,
    content,
    spoiler_text,
    language,
    poll: status.poll && {
      ...status.poll,
      options: status.poll.options.map((option, index) => ({
        ...option,
        title: titles[index] ?? option.title,
      })),
    },
    media_attachments: status.media_attachments.map((each) => ({
      ...each,
      description: descriptions.get(each.id) ?? each.description,
    })),
  };
}

/** Renders the offer to translate, or the source of the translation and the way back. */
export function translationBar(status: Status, { translation, offered, problem }: Translated): Html | false {
  const page = statusPath(status);
  if (problem !== undefined) return problemBox({ problems: [problem] });
  if (!offered) return false;
  if (!translation) {
    return html`<p class="translation">
      <a href="${page}?translate=1" rel="nofollow"
        >${icon('languages')} Translate from ${nameOf(status.language ?? '')}</a
      >
    </p>`;
  }
  return html`<p class="translation" role="status">
    ${icon('languages')} Translated from ${nameOf(translation.detected_source_language)} using
    ${translation.provider} · <a href="${page}">Show original</a>
  </p>`;
}
