import { digestsWith } from '#adapters/email-digest.ts';
import type { Keys } from '#config/keys.ts';
import type { RookeryError } from '#kernel/errors.ts';
import { forbidden } from '#kernel/errors.ts';
import type { Services } from '#kernel/services.ts';
import type { Resolver } from '#kernel/services/federation.ts';
import type { MediaStore } from '#kernel/services/media.ts';
import type { RemoteMediaCache } from '#kernel/services/remote-media.ts';

export const takesNoChanges = (): RookeryError =>
  forbidden('This server shows the past: it takes no changes');

/** Refuses every call. */
export const refuse = (): Promise<never> => Promise.reject(takesNoChanges());

interface Parts {
  keys: Pick<Keys, 'emailDigestKey' | 'addressDigestKey'>;
  media: Pick<MediaStore, 'read' | 'size'>;
  resolver: Resolver;
  remoteMedia: Pick<RemoteMediaCache, 'serve'>;
}

/**
 * The services of a server that shows the past: files are read, known addresses are looked up; changes and
 * requests to other servers are refused.
 */
export const readingServices = ({ keys, media, resolver, remoteMedia }: Parts): Services => ({
  ...REFUSING,
  resolver,
  media: {
    read: media.read,
    size: media.size,
    put: refuse,
    putFile: refuse,
    fetch: refuse,
    copy: refuse,
    remove: refuse,
  },
  remoteMedia: {
    fetchesOnArrival: false,
    serve: remoteMedia.serve,
    prepare: refuse,
    identify: refuse,
    forget: refuse,
    forgetUnseen: refuse,
    tidy: refuse,
    usage: refuse,
  },
  emailDigest: digestsWith(keys.emailDigestKey),
  addressDigest: digestsWith(keys.addressDigestKey),
});

/** The services that need nothing of today's server. */
const REFUSING: Omit<Services, 'resolver' | 'media' | 'remoteMedia' | 'emailDigest' | 'addressDigest'> = {
  mailer: { send: refuse },
  credentials: {
    setPassword: refuse,
    verifyPassword: refuse,
    createCode: refuse,
    voidEarlierCodes: refuse,
    useCode: refuse,
    hasCode: refuse,
    voidCodes: refuse,
  },
  tokens: {
    issue: refuse,
    revokeAllOf: refuse,
    revokeApplication: refuse,
    forget: () => undefined,
    registerApplication: refuse,
  },
  deviceMessages: { upload: refuse, claim: refuse, deliver: refuse, clear: refuse },
  pushSubscriptions: { none: true, create: refuse, change: refuse, remove: refuse, record: refuse },
  pushSender: { send: refuse, pause: () => 0 },
  images: { processProfileImage: refuse, processEmoji: refuse, processBanner: refuse, processIcon: refuse },
  http: { fetch: refuse },
  mediaProcessor: { take: refuse, finish: refuse, thumbnail: refuse },
  jobs: { enqueue: refuse, waiting: () => Promise.resolve(0), overview: refuse },
  reactors: {
    list: refuse,
    timers: refuse,
    deadLetters: refuse,
    countDeadLetters: refuse,
    eventAt: refuse,
    retry: refuse,
  },
  imports: {
    assertRoom: refuse,
    admitUpload: refuse,
    inTurn: refuse,
    begin: refuse,
    find: () => Promise.resolve(undefined),
    of: () => Promise.resolve([]),
    prepared: refuse,
    waiting: () => Promise.resolve([]),
    titles: () => Promise.resolve([]),
    record: refuse,
    finish: refuse,
    failures: () => Promise.resolve([]),
  },
  archives: {
    request: refuse,
    of: () => Promise.resolve(undefined),
    find: () => Promise.resolve(undefined),
    make: refuse,
    fail: refuse,
    mailed: refuse,
    open: () => Promise.resolve(null),
    tidy: refuse,
  },
  refusedSignUps: { record: refuse },
  readModels: {
    halted: () => [],
    list: refuse,
    show: refuse,
    retry: refuse,
    startRun: refuse,
    runs: refuse,
    run: refuse,
    cancelRun: refuse,
    storeSkip: refuse,
    removeSkip: refuse,
  },
  pastEvents: { ofStreams: refuse },
  alerts: { evaluate: refuse },
  damagedEvents: { reported: refuse },
  pastBuilds: { list: refuse, begin: refuse, drop: refuse },
  serverHealth: { examine: refuse, machine: refuse },
  eventBrowser: { list: refuse, find: refuse, head: refuse, around: refuse, trace: refuse },
  personalData: { erase: refuse, forget: refuse, clean: refuse },
  // These describe today's process, so the past has no values.
  softwareVersions: { usage: () => Promise.resolve([]), versions: () => Promise.resolve([]) },
  actorKeys: { publicKeys: refuse, signed: refuse, proven: refuse, rotate: refuse },
  asyncRefreshes: {
    begin: () => Promise.resolve(undefined),
    running: () => Promise.resolve(undefined),
    find: () => Promise.resolve(undefined),
    count: refuse,
    finish: refuse,
  },
  transparencyLog: {
    verifierKey: '',
    recordWhenIdle: refuse,
    verifyWhenDue: refuse,
    divergences: refuse,
    newest: refuse,
    cosigned: refuse,
    published: refuse,
    proveInclusion: refuse,
    proveConsistency: refuse,
    eventProofs: refuse,
    consistencyEvidence: refuse,
    checkpoints: refuse,
    compareKept: refuse,
  },
  logWitnesses: { postWhenDue: refuse, states: refuse },
  logWitness: {
    key: '',
    logs: [],
    addCheckpoint: refuse,
    checkpointOf: refuse,
    witnessed: refuse,
    forks: refuse,
    openForks: refuse,
  },
  deliveries: {
    none: true,
    receiptDays: 0,
    somebody: () => undefined,
    queue: refuse,
    cancel: refuse,
    heardFrom: refuse,
    retryHost: refuse,
    giveUp: refuse,
  },
};
