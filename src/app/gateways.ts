import { createArchives } from '#adapters/account-archive/archives.ts';
import { digestsWith } from '#adapters/email-digest.ts';
import { createJobs } from '#adapters/jobs/jobs.ts';
import { boundedMailer, mailerFor } from '#adapters/mail/index.ts';
import { mediaStoreFor } from '#adapters/media/open-store.ts';
import { lazyHttpClient } from '#adapters/outbound-http/index.ts';
import { openTranslator } from '#adapters/translation/index.ts';
import { canonicalEmail } from '#commands/accounts/index.ts';
import { VERSION } from '#config/version.ts';
import { WaitingRoom } from '#kernel/waiting-room.ts';
import { Witness, Witnesses } from '#operations/transparency-log/index.ts';
import { instanceSettings, titleOf } from '#queries/instance/index.ts';
import type { Foundation } from './foundation.ts';
import { remoteMediaFor } from './remote-media.ts';

export type Gateways = ReturnType<typeof openGateways>;

/** Opens the parts that speak to other servers or keep something outside of the database. */
export function openGateways(foundation: Foundation) {
  const { config, keys, logger, closing, stores, dataDir } = foundation;
  const { db, url } = stores;
  const outbound = openOutbound(foundation);
  const jobs = createJobs({
    db,
    url,
    onError: (error, job) => logger.warn({ err: error, job }, 'job failed'),
  });
  closing(() => jobs.close());
  const media = mediaStoreFor({ dataDir, s3: config.media.s3 });
  closing(() => media.close());
  const remoteMedia = remoteMediaFor({
    db,
    http: outbound.http,
    media,
    dataDir,
    config: config.media,
    context: () => foundation.contexts.systemContext('remote-media'),
    onError: (error) => logger.warn({ err: error }, 'remote file not cached'),
  });
  const archives = createArchives({ db, dataDir, s3: config.media.s3, master: keys.master });
  closing(() => archives.close());
  return { ...outbound, jobs, media, remoteMedia, archives };
}

function openOutbound({ config, keys, logger, closing, stores, dataDir }: Foundation) {
  const { db, transparencyLog } = stores;
  const emailDigest = digestsWith(keys.emailDigestKey);
  const fromName = async (): Promise<string> =>
    titleOf(await instanceSettings(db), { domain: config.site.localDomain });
  const mailer = boundedMailer(mailerFor(config, { dataDir, logger, fromName }), {
    db,
    digest: (address) => emailDigest(canonicalEmail(address)),
  });
  closing(() => mailer.close());
  const userAgent = `Rookery/${VERSION} (+${config.site.origin}/)`;
  const room = new WaitingRoom();
  const http = lazyHttpClient({
    room,
    allowedPrivateAddresses: config.federation.allowedPrivateAddresses,
    userAgent,
  });
  closing(() => http.close());
  const translator = config.translation && openTranslator(config.translation, userAgent);
  closing(() => translator?.close());
  // The operator chooses these hosts, which may be their own.
  const named = lazyHttpClient({ allowedPrivateAddresses: [], userAgent, permits: () => true });
  closing(() => named.close());
  const logWitnesses = new Witnesses({
    db,
    http: named,
    witnesses: config.transparencyLog.witnesses,
    log: transparencyLog,
    onContradiction: ({ url, error }) => logger.error({ url, error }, 'log witness disagrees: another log'),
  });
  const logWitness = new Witness({
    db,
    seed: keys.checkpointSeed,
    origin: config.site.localDomain,
    logs: config.transparencyLog.witnessFor,
    onFork: (fork) =>
      logger.error(fork, 'witnessed log refused: it does not continue its earlier checkpoint'),
  });
  return { mailer, http, room, translator, logWitnesses, logWitness };
}
