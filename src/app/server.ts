import express from 'express';
import type { Logger } from 'pino';
import { tidyArchives } from '#commands/archives/index.ts';
import { forgetOldDeliveries } from '#interfaces/federation/delivery/forget.ts';
import { pruneActorClock } from '#interfaces/federation/inbox/actor-clock.ts';
import { forgetNewSenders } from '#interfaces/federation/inbox/new-senders.ts';
import { pruneTombstones } from '#interfaces/federation/inbox/tombstones.ts';
import { clientAddress } from '#interfaces/http/client-address.ts';
import {
  errorHandler,
  failer,
  notFoundHandler,
  refuseMalformedUrl,
  unknownPath,
} from '#interfaces/http/fallbacks.ts';
import { forgetOldKeys } from '#interfaces/http/idempotency.ts';
import { withIpBlocks } from '#interfaces/http/ip-access-blocks.ts';
import { type HttpServer, listen } from '#interfaces/http/listen.ts';
import { forgetOldAddresses } from '#interfaces/oauth/addresses.ts';
import { forgetUnusedApplications } from '#interfaces/oauth/registrations.ts';
import { unknownPageHandler } from '#interfaces/web/page/unknown.ts';
import { closeAll } from '#kernel/close-all.ts';
import { removeStaleTempFiles } from '#operations/stale-temp-files.ts';
import type { App } from './app.ts';
import { blameSetting, CANNOT_LISTEN } from './blame-setting.ts';
import { mountFiles } from './files.ts';
import { mountAll } from './routes.ts';
/** Milliseconds between two clean-ups of outdated rows. */
const CLEANING_INTERVAL = 3_600_000;

/** Serves the API, OAuth, pages and files. @throws ConfigError when it cannot listen */
export async function startServer(app: App, logger: Logger): Promise<HttpServer> {
  const web = express();
  web.disable('x-powered-by');
  web.set('etag', false);
  web.set('query parser', false);
  const fail = failer((error) => logger.error({ err: error }, 'request failed'));
  web.use(refuseMalformedUrl((error) => unknownPageHandler(app.instance, error)));
  const { listener: served, streaming, limits, unknownForUsers } = mountAll({ web, app, logger, fail });
  const addressOf = clientAddress(app.config.http.trustedProxies);
  mountFiles(web, app.config, app.contextDependencies.services, (req) =>
    limits.limitKey('remote_media', `ip:${addressOf(req)}`),
  );
  web.use(unknownForUsers);
  web.use(unknownPageHandler(app.instance, unknownPath));
  web.use(notFoundHandler);
  web.use(errorHandler(fail));

  const { listener, upgrades } = withIpBlocks(
    { listener: served, upgrades: streaming.upgrades },
    app.ipAccessBlocks,
    addressOf,
  );
  await app.beginReading();
  const listening = listen(listener, app.config.http, upgrades);
  const server = await blameSetting('BIND and PORT', listening, CANNOT_LISTEN);
  await app.detectOtherApiProcesses();
  const cleaning = setInterval(() => {
    cleanUp(app).catch((error: unknown) => logger.warn({ err: error }, 'hourly cleanup failed'));
  }, CLEANING_INTERVAL);
  return {
    url: server.url,
    close: async () => {
      clearInterval(cleaning);
      await closeAll([() => server.close(), () => streaming.close()]);
    },
  };
}

/** Removes outdated rows and files. */
async function cleanUp(app: App): Promise<void> {
  const ctx = app.systemContext('archives');
  await Promise.all([
    forgetOldKeys(app.db),
    forgetOldAddresses(app.db),
    forgetOldDeliveries(app.db, app.config.federation.receiptDays),
    tidyArchives(ctx),
    pruneTombstones(app.db),
    pruneActorClock(app.db),
    forgetNewSenders(app.db),
    forgetUnusedApplications(app.db),
    removeStaleTempFiles(app.config.dataDir),
    app.contextDependencies.services.remoteMedia.tidy(),
  ]);
}
