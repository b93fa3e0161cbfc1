import type { CustomEmojiRow } from '../../projections/custom-emojis.ts';
import { CUSTOM_EMOJIS_CHANNEL } from '../../src/events/custom-emojis.ts';
import type { CustomEmojis } from '../../src/kernel/context.ts';
import type { Db } from '../../src/kernel/read.ts';
import { MEDIA_ORIGIN, members, urlBelow } from '../../src/kernel/ready-json.ts';
import type { Notifications } from '../../src/postgres/notifications.ts';
import { allCustomEmojis } from './rows.ts';

/** After a failure, in milliseconds. */
const RETRY_AFTER = 1_000;

/**
 * All enabled emojis as ready JSON, in the memory of this process. Rendering looks them up without a query; they are read
 * anew when the projection announces a change, in whichever process it runs.
 */
export class CustomEmojiCache implements CustomEmojis {
  readonly #db: Db;
  #byShortcode: ReadonlyMap<string, string> = new Map();
  #listed = '[]';
  #revision = 0;
  #loading: Promise<void> | undefined;
  #stale = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Reads the emojis and follows their changes. The read model must be there. */
  async listen(notifications: Notifications): Promise<void> {
    await notifications.subscribe({
      channel: CUSTOM_EMOJIS_CHANNEL,
      onNotification: () => this.#refreshSoon(),
      onConnected: () => this.#refreshSoon(),
    });
    await this.#loading;
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

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#loading;
  }

  /** What changes while the emojis are being read makes them be read once more. */
  #refreshSoon(): void {
    this.#stale = true;
    this.#loading ??= this.#refresh().finally(() => (this.#loading = undefined));
  }

  async #refresh(): Promise<void> {
    while (this.#stale && !this.#closed) {
      this.#stale = false;
      try {
        this.#fill(await allCustomEmojis(this.#db));
      } catch {
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#refreshSoon(), RETRY_AFTER).unref();
        return;
      }
    }
  }

  #fill(rows: readonly CustomEmojiRow[]): void {
    const enabled = rows.filter(({ disabled }) => !disabled);
    const rendered = new Map(enabled.map((row) => [row.shortcode, customEmojiJson(row)]));
    const offered = enabled.filter((row) => row.visible_in_picker);
    this.#byShortcode = rendered;
    this.#revision += 1;
    this.#listed = `[${offered.map(({ shortcode }) => rendered.get(shortcode)).join(',')}]`;
  }
}

/** https://docs.joinmastodon.org/entities/CustomEmoji/ as ready JSON; without a category there is no such member. */
function customEmojiJson({
  shortcode,
  category,
  visible_in_picker,
  image,
  static_image,
}: CustomEmojiRow): string {
  const after = members({ visible_in_picker, ...(category === null ? {} : { category }) });
  return (
    `{"shortcode":${JSON.stringify(shortcode)},"url":${urlBelow(MEDIA_ORIGIN, `/${image}`)},` +
    `"static_url":${urlBelow(MEDIA_ORIGIN, `/${static_image}`)},${after}}`
  );
}
