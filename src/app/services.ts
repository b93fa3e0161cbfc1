import { join } from 'node:path';
import { createAlerts } from '#adapters/alerts/index.ts';
import { createAsyncRefreshes } from '#adapters/async-refreshes.ts';
import { createDeviceMessages } from '#adapters/device-messages/device-messages.ts';
import { messageFranking } from '#adapters/device-messages/franking.ts';
import { digestsWith } from '#adapters/email-digest.ts';
import { createEventBrowser } from '#adapters/event-browser/index.ts';
import { createImports } from '#adapters/imports.ts';
import { removeWrittenMails } from '#adapters/mail/written.ts';
import { images } from '#adapters/media/image-service.ts';
import { mediaProcessor } from '#adapters/media/lazy-processor.ts';
import type { PasswordCost } from '#adapters/passwords.ts';
import { createPastEvents } from '#adapters/past-events.ts';
import { createPersonalData } from '#adapters/personal-data.ts';
import { secretBox } from '#adapters/push/secrets.ts';
import { createPushSender } from '#adapters/push/sender.ts';
import { createReactors } from '#adapters/reactors.ts';
import { createReadModels } from '#adapters/read-models.ts';
import { createRefusedSignUps } from '#adapters/refused-sign-ups.ts';
import { createSoftwareVersions } from '#adapters/software-versions.ts';
import { catalogue } from '#events/index.ts';
import type { Federation } from '#interfaces/federation/index.ts';
import { createCredentials } from '#interfaces/oauth/credentials.ts';
import type { TokenDigests } from '#interfaces/oauth/token-digest.ts';
import type { TokenStore } from '#interfaces/oauth/tokens.ts';
import type { Services } from '#kernel/services.ts';
import type { ErasureList } from '#operations/backup/index.ts';
import { projections } from '#projections/index.ts';
import { vacuumChanged } from '#storage/postgres/rebuild/vacuum.ts';
import type { Caches } from './caches.ts';
import type { Foundation } from './foundation.ts';
import type { Gateways } from './gateways.ts';
import { createPastBuilds } from './past-builds.ts';
import { createServerHealth } from './server-health.ts';

interface Parts {
  caches: Caches;
  gateways: Gateways;
  tokens: TokenStore;
  tokenDigests: TokenDigests;
  federation: Federation;
  erasures: ErasureList;
  passwordCost: PasswordCost | undefined;
}

/** Creates the services that commands and queries use. */
export function createServices(foundation: Foundation, parts: Parts): Services {
  const { config, keys, stores, dataDir, redis } = foundation;
  const { caches, tokens, federation } = parts;
  const { mailer, http, translator, jobs, media, remoteMedia, archives, logWitnesses, logWitness } =
    parts.gateways;
  const { db, transparencyLog } = stores;
  const readModels = readModelsFor(foundation);
  return {
    mailer,
    credentials: createCredentials(db, parts.passwordCost),
    tokens,
    deviceMessages: createDeviceMessages(db, messageFranking(keys.master)),
    pushSubscriptions: caches.pushSubscriptions,
    pushSender: pushSenderFor(foundation, parts.gateways),
    media,
    mediaProcessor: mediaProcessor({ store: media, programs: config.media.programs }),
    remoteMedia,
    jobs,
    imports: createImports(db),
    archives,
    resolver: federation.resolver,
    actorKeys: federation.keys,
    deliveries: federation.deliveries,
    asyncRefreshes: createAsyncRefreshes(db),
    images,
    http,
    translator,
    emailDigest: digestsWith(keys.emailDigestKey),
    addressDigest: digestsWith(keys.addressDigestKey),
    refusedSignUps: createRefusedSignUps(db),
    pastEvents: createPastEvents({ log: stores.log, keys: stores.subjectKeys, definitions: catalogue }),
    personalData: personalDataFor(foundation, parts),
    softwareVersions: createSoftwareVersions({
      mediaFolder: config.media.s3 ? undefined : join(dataDir, 'media'),
      redis,
      eventStore: stores.store,
    }),
    transparencyLog,
    logWitnesses,
    logWitness,
    alerts: createAlerts({ db, log: stores.log, projections, folder: dataDir, witness: logWitness }),
    damagedEvents: stores.damagedEvents,
    eventBrowser: createEventBrowser({ store: stores.store, keys: stores.subjectKeys, db, projections }),
    readModels,
    pastBuilds: createPastBuilds(stores, foundation.logger),
    serverHealth: createServerHealth(foundation, {
      stores,
      readModels,
      tokenDigests: parts.tokenDigests,
      dataDir,
    }),
    reactors: createReactors({ db, log: stores.log }),
  };
}

function readModelsFor({ stores, closing }: Foundation): Services['readModels'] {
  const { db, projectionDb, log, halted } = stores;
  const { close, ...readModels } = createReadModels({
    db,
    projectionDb,
    log,
    projections,
    halted: () => halted.names,
  });
  closing(close);
  return readModels;
}

const pushSenderFor = ({ keys, config }: Foundation, { http }: Gateways): Services['pushSender'] =>
  createPushSender({
    http,
    box: secretBox(keys.master),
    vapid: keys.vapid,
    // Push services accept no other scheme (RFC 8292 section 2.1).
    subject: config.site.https ? config.site.origin : `mailto:admin@${config.site.localDomain}`,
  });

const personalDataFor = (
  { stores: { db, projectionDb, subjectKeys }, dataDir }: Foundation,
  { erasures, gateways: { archives } }: Parts,
): Services['personalData'] =>
  createPersonalData({
    db,
    clean: () => vacuumChanged(projectionDb),
    destroy: erasures.before((subject) => subjectKeys.destroy(subject)),
    removeMails: (addresses) => removeWrittenMails(dataDir, addresses),
    removeArchive: (accountId) => archives.removeOf(accountId),
  });
