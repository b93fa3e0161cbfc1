import { CUSTOM_EMOJIS_CHANNEL } from '#events/custom-emojis.ts';
import type { CustomEmojis } from '#kernel/context.ts';
import type { Notifications } from '#kernel/listening.ts';
import type { Db } from '#kernel/read.ts';
import { MEDIA_ORIGIN, members, urlBelow } from '#mastodon/ready-json.ts';
import type { CustomEmojiRow } from '#projections/custom-emojis.ts';
import { lastCustomEmojis } from '#queries/custom-emojis/index.ts';
import { FollowedRows } from '#storage/postgres/projector/followed-rows.ts';

/**
 * All enabled emojis as ready JSON, in the memory of this process, so that rendering needs no query. They are
 * read again when the projection announces a change, in any process.
 */
export class CustomEmojiCache implements CustomEmojis {
  readonly #rows: FollowedRows;
  #byShortcode: ReadonlyMap<string, string> = new Map();
  #listed = '[]';
  #revision = 0;

  constructor(db: Db) {
    this.#rows = new FollowedRows(async () => this.#fill(await lastCustomEmojis(db)));
  }

  /** Reads the emojis and follows their changes. The read model must exist. */
  listen(notifications: Notifications): Promise<void> {
    return this.#rows.listen(notifications, CUSTOM_EMOJIS_CHANNEL);
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  json(shortcode: string): string | undefined {
    return this.#byShortcode.get(shortcode);
  }

  get revision(): number {
    return this.#revision;
  }

  listed(): string {
    return this.#listed;
  }

  #fill(rows: readonly CustomEmojiRow[]): void {
    const enabled = rows.filter(({ disabled }) => !disabled);
    this.#byShortcode = new Map(enabled.map((row) => [row.shortcode, customEmojiJson(row)]));
    this.#revision += 1;
    const offered = enabled.filter((row) => row.visible_in_picker);
    this.#listed = `[${offered.map((row) => customEmojiJson(row, inItsCategory(row))).join(',')}]`;
  }
}

/** Only the list of all emojis contains categories, as in Mastodon. No emoji is featured in its category. */
const inItsCategory = ({ category }: CustomEmojiRow): object =>
  category === null ? {} : { category, featured: false };

/** Returns https://docs.joinmastodon.org/entities/CustomEmoji/ as ready JSON. */
function customEmojiJson(
  { shortcode, visible_in_picker, image, static_image }: CustomEmojiRow,
  more: object = {},
): string {
  const after = members({ visible_in_picker, ...more });
  return (
    `{"shortcode":${JSON.stringify(shortcode)},"url":${urlBelow(MEDIA_ORIGIN, `/${image}`)},` +
    `"static_url":${urlBelow(MEDIA_ORIGIN, `/${static_image}`)},${after}}`
  );
}
