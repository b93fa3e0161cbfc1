import type { Alerts } from './services/alerts.ts';
import type { Archives } from './services/archives.ts';
import type { AsyncRefreshes } from './services/async-refresh.ts';
import type { Credentials, Tokens } from './services/credentials.ts';
import type { DamagedEventNotes } from './services/damaged-events.ts';
import type { DeviceMessages } from './services/device-messages.ts';
import type { EventBrowser } from './services/event-browser.ts';
import type { ActorPublicKeys, Deliveries, Resolver } from './services/federation.ts';
import type { HttpClient } from './services/http-client.ts';
import type { Images } from './services/images.ts';
import type { Imports } from './services/imports.ts';
import type { Jobs } from './services/jobs.ts';
import type { Mailer } from './services/mailer.ts';
import type { MediaProcessor, MediaStore } from './services/media.ts';
import type { PastBuilds } from './services/past-builds.ts';
import type { PastEvents } from './services/past-events.ts';
import type { PersonalData } from './services/personal-data.ts';
import type { PushSender, PushSubscriptions } from './services/push.ts';
import type { Reactors } from './services/reactors.ts';
import type { ReadModels } from './services/read-models.ts';
import type { RefusedSignUps } from './services/refused-sign-ups.ts';
import type { RemoteMediaCache } from './services/remote-media.ts';
import type { ServerHealth } from './services/server-health.ts';
import type { SoftwareVersions } from './services/software-versions.ts';
import type { Translator } from './services/translator.ts';
import type { LogWitness, LogWitnesses, TransparencyLogService } from './services/transparency-log.ts';

/**
 * Ports to things that are neither the log nor read models. The composition root binds them; commands only see these
 * interfaces.
 */
export interface Services {
  mailer: Mailer;
  credentials: Credentials;
  tokens: Tokens;
  deviceMessages: DeviceMessages;
  pushSubscriptions: PushSubscriptions;
  pushSender: PushSender;
  media: MediaStore;
  images: Images;
  http: HttpClient;
  mediaProcessor: MediaProcessor;
  remoteMedia: RemoteMediaCache;
  jobs: Jobs;
  imports: Imports;
  archives: Archives;
  resolver: Resolver;
  actorKeys: ActorPublicKeys;
  deliveries: Deliveries;
  asyncRefreshes: AsyncRefreshes;
  /** Absent where no translation service is set up. */
  translator?: Translator | undefined;
  /** A keyed digest of a canonical e-mail address, 64 hex digits: names the stream that reserves the address. */
  emailDigest(canonicalAddress: string): string;
  /** The same of a range of IP addresses: names the stream of its block. */
  addressDigest(range: string): string;
  refusedSignUps: RefusedSignUps;
  pastEvents: PastEvents;
  personalData: PersonalData;
  softwareVersions: SoftwareVersions;
  transparencyLog: TransparencyLogService;
  logWitnesses: LogWitnesses;
  logWitness: LogWitness;
  readModels: ReadModels;
  reactors: Reactors;
  eventBrowser: EventBrowser;
  alerts: Alerts;
  damagedEvents: DamagedEventNotes;
  pastBuilds: PastBuilds;
  serverHealth: ServerHealth;
}
