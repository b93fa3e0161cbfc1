import type { Config } from '#config/config.ts';
import type { Keys } from '#config/keys.ts';
import { LIKE_MASTODON, VERSION } from '#config/version.ts';
import type { CustomEmojis, Instance } from '#kernel/context.ts';

/** This server as its settings describe it. */
export const instanceOf = (config: Config, keys: Keys, emojis: CustomEmojis): Instance => ({
  domain: config.site.localDomain,
  origin: config.site.origin,
  mediaOrigin: config.media.s3?.publicOrigin ?? `${config.site.origin}/media`,
  software: { name: 'rookery', version: VERSION },
  version: `${LIKE_MASTODON} (compatible; Rookery ${VERSION})`,
  sourceUrl: config.site.sourceUrl,
  vapidPublicKey: keys.vapid.publicKey,
  emojis,
  limitedFederation: config.federation.limited,
});
