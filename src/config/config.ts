import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type Misspelled, misspelledSettings } from './misspelled.ts';
import {
  addresses,
  both,
  bucketIsNamed,
  domain,
  email,
  flag,
  host,
  integer,
  logKeys,
  oneOf,
  setting,
  size,
  text,
  url,
  type WitnessAddress,
  witnesses,
} from './settings.ts';

const ROLES = ['all', 'api', 'projector', 'reactor'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * All settings, read once from the environment. Names are Mastodon's where it has them
 * (https://docs.joinmastodon.org/admin/config/); CONFIGURATION.md describes each one.
 */
export interface Config {
  /** The absolute path of the folder for all data on this machine. */
  dataDir: string;
  role: Role;
  http: {
    bind: string;
    port: number;
    /** IPs and CIDR ranges whose X-Forwarded-For header is trusted. */
    trustedProxies: string[];
    /** `trustedProxies` is the default: all private networks. */
    trustsByDefault: boolean;
    /** IPs and CIDR ranges whose own connections may read /metrics. */
    metricsAllowed: string[];
  };
  site: {
    /** The domain of handles: `@alice@<localDomain>`. It may carry a port. */
    localDomain: string;
    /** The host, perhaps with a port, that serves the API. */
    webDomain: string;
    /** The address of this server for clients, without a trailing slash: `https://social.example`. */
    origin: string;
    https: boolean;
    /** The address of this server's source code. */
    sourceUrl: string;
    /** The former domain of existing accounts, when the operator changes the domain all the same. */
    movedFrom: string | undefined;
  };
  database: {
    /** Undefined: the embedded PostgreSQL in `dataDir`. */
    url: string | undefined;
    /** Connections of each pool of this process. */
    pool: number;
  };
  /** Undefined: the event log is a table of the database. */
  eventStoreUrl: string | undefined;
  transparencyLog: {
    /** The absolute path of the file that has the newest checkpoint. */
    checkpointFile: string;
    /** Hours between verifications of the whole log; 0 turns them off. */
    verifyHours: number;
    /** Addresses that get each checkpoint, with the keys of witnesses. */
    witnesses: WitnessAddress[];
    /** The keys of the logs that this server witnesses, as `name+id+key`. */
    witnessFor: string[];
  };
  /** The absolute path of the list of subjects whose keys were destroyed. */
  erasureList: string;
  redisUrl: string | undefined;
  /** Milliseconds that a reply waits for the read models, at most. */
  readModelTimeoutMs: number;
  rateLimits: { enabled: boolean; exemptLoopback: boolean };
  /** Undefined: mails are written to files in `dataDir`. */
  smtp: SmtpConfig | undefined;
  media: {
    /** The names or paths of the programs that read videos and sounds. */
    programs: { ffmpeg: string; ffprobe: string };
    /** Undefined: files are stored in `dataDir`. */
    s3: S3Config | undefined;
    /** The cache of remote files. */
    cache: {
      /** The maximum in bytes; 0 turns the cache off. */
      budget: number;
      /** The time of the fetch: the first request by a client, or the arrival of a post or profile. */
      fetch: 'view' | 'arrival';
    };
  };
  secrets: {
    vapid: { publicKey: string; privateKey: string } | undefined;
    /** The text of a `keys.json`, for machines that share a database. */
    keys: string | undefined;
    secretKeyBase: string | undefined;
  };
  oauth: { passwordGrant: boolean };
  federation: {
    limited: boolean;
    /** Private IPs and CIDR ranges that outbound requests may reach. */
    allowedPrivateAddresses: string[];
    /** Days for which the recipients of a post are stored. */
    receiptDays: number;
    /** Seconds that a worker holds a delivery exclusively. */
    leaseSeconds: number;
  };
  /** Undefined: there are no translations. */
  translation: TranslationConfig | undefined;
  logLevel: LogLevel;
}

/** A translation service; `endpoint` without the path of the API. */
export type TranslationConfig =
  ({ provider: 'deepl' } & DeepLConfig) | ({ provider: 'libretranslate' } & LibreTranslateConfig);
export interface DeepLConfig {
  endpoint: string;
  apiKey: string;
}
export interface LibreTranslateConfig {
  endpoint: string;
  /** A self-hosted service needs none. */
  apiKey: string | undefined;
}

export type Role = (typeof ROLES)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A bucket for media files. */
export interface S3Config {
  bucket: string;
  region: string;
  /** Undefined: Amazon's own. */
  endpoint: string | undefined;
  /** `endpoint/bucket` instead of `bucket.endpoint`. */
  pathStyle: boolean;
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** The address of the files for clients, without a trailing slash; undefined: this server serves them. */
  publicOrigin: string | undefined;
}

/** The mail server. `tls` is TLS from the first byte; `startTls` upgrades after the greeting. */
export interface SmtpConfig {
  host: string;
  port: number;
  /** The name in the greeting. */
  domain: string | undefined;
  login: { user: string; password: string } | undefined;
  from: string;
  tls: boolean;
  startTls: 'auto' | 'always' | 'never';
  /** Whether the certificate of the mail server must be valid. */
  verifyCertificate: boolean;
}

/** A wrong setting. The message names the variable and the expected form; it never repeats a secret. */
export class ConfigError extends Error {
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.name = 'ConfigError';
  }
}

/**
 * Reads and checks the settings. An empty variable counts as not set.
 * @throws ConfigError naming every wrong variable, one a line
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(settingNames().map((name) => [name, env[name]?.trim() || undefined]));
  const parsed = environment.safeParse(given);
  if (parsed.success) return toConfig(parsed.data);
  throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`));
}

/** The names of all settings. */
export const settingNames = (): string[] => Object.keys(environment.shape);

/** Returns the variables that are probably settings with a wrong name. */
export const misspelled = (): Misspelled[] => misspelledSettings(process.env, settingNames());

/** Loopback and private networks; Mastodon has the same default. */
const PRIVATE_NETWORKS = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
];

const environment = z
  .object({
    DATA_DIR: text.default('./data'),
    ROLE: oneOf(...ROLES).default('all'),
    LOG_LEVEL: oneOf(...LOG_LEVELS).default('info'),

    BIND: text.default('127.0.0.1'),
    PORT: integer(0, 65_535).default(3000),
    LOCAL_DOMAIN: domain.optional(),
    LOCAL_DOMAIN_BEFORE: domain.optional(),
    WEB_DOMAIN: domain.optional(),
    LOCAL_HTTPS: flag.optional(),
    SOURCE_BASE_URL: url('http', 'https').optional(),
    TRUSTED_PROXY_IP: addresses.optional(),
    METRICS_ALLOWED_IP: addresses.default(['127.0.0.0/8', '::1/128']),
    RATE_LIMITS: flag.default(true),
    RATE_LIMIT_EXEMPT_LOOPBACK: flag.default(false),
    SETTLE_TIMEOUT_MS: integer(100, 60_000).default(5000),

    DATABASE_URL: url('postgres', 'postgresql').optional(),
    // More connections only compete for processors: on two of them, eight connections served a tenth fewer
    // pages than four.
    DB_POOL: integer(2, 100).default(Math.min(Math.max(4, 2 * availableParallelism()), 20)),
    ERASURE_LIST: text.optional(),
    LOG_CHECKPOINT_FILE: text.optional(),
    LOG_VERIFY_HOURS: integer(0, 8_760).default(24),
    LOG_WITNESSES: witnesses.default([]),
    LOG_WITNESS_FOR: logKeys.default([]),
    EVENTSTORE_URL: setting('a connection string such as esdb://host:2113?tls=false', (value) =>
      /^(?:esdb|kurrentdb)(?:\+discover)?:\/\/./.test(value) ? value : undefined,
    ).optional(),
    REDIS_URL: url('redis', 'rediss').optional(),

    SMTP_SERVER: host.optional(),
    SMTP_PORT: integer(1, 65_535).default(25),
    SMTP_LOGIN: text.optional(),
    SMTP_PASSWORD: text.optional(),
    SMTP_FROM_ADDRESS: email.optional(),
    SMTP_DOMAIN: domain.optional(),
    SMTP_TLS: flag.default(false),
    SMTP_SSL: flag.default(false),
    SMTP_ENABLE_STARTTLS: oneOf('auto', 'always', 'never').default('auto'),
    SMTP_OPENSSL_VERIFY_MODE: oneOf('peer', 'none').default('peer'),

    FFMPEG_BINARY: text.default('ffmpeg'),
    FFPROBE_BINARY: text.default('ffprobe'),
    MEDIA_CACHE_SIZE: size.default(5_000_000_000),
    MEDIA_CACHE_FETCH: oneOf('view', 'arrival').default('view'),
    S3_ENABLED: flag.default(false),
    S3_BUCKET: text.optional(),
    S3_REGION: text.default('us-east-1'),
    S3_ENDPOINT: url('http', 'https').optional(),
    S3_OVERRIDE_PATH_STYLE: flag.default(false),
    S3_ALIAS_HOST: domain.optional(),
    S3_PROTOCOL: oneOf('http', 'https').default('https'),
    AWS_ACCESS_KEY_ID: text.optional(),
    AWS_SECRET_ACCESS_KEY: text.optional(),

    VAPID_PUBLIC_KEY: text.optional(),
    VAPID_PRIVATE_KEY: text.optional(),
    SECRET_KEY_BASE: setting('at least 32 characters', (value) =>
      value.length < 32 ? undefined : value,
    ).optional(),
    ROOKERY_KEYS: text.optional(),

    OAUTH_PASSWORD_GRANT: flag.default(false),
    LIMITED_FEDERATION_MODE: flag.default(false),
    ALLOWED_PRIVATE_ADDRESSES: addresses.default([]),
    DELIVERY_RECEIPT_DAYS: integer(1, 36_500).default(365),
    // A try takes at most 10 seconds.
    DELIVERY_LEASE_SECONDS: integer(15, 3_600).default(60),

    DEEPL_API_KEY: text.optional(),
    DEEPL_PLAN: oneOf('free', 'pro').default('free'),
    LIBRE_TRANSLATE_ENDPOINT: url('http', 'https').optional(),
    LIBRE_TRANSLATE_API_KEY: text.optional(),
  })
  .check(
    both('VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'),
    both('SMTP_LOGIN', 'SMTP_PASSWORD'),
    both('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'),
    bucketIsNamed,
  );

type Environment = z.infer<typeof environment>;

function toConfig(env: Environment): Config {
  const localDomain = env.LOCAL_DOMAIN ?? (env.PORT === 80 ? 'localhost' : `localhost:${env.PORT}`);
  const webDomain = env.WEB_DOMAIN ?? localDomain;
  const https = env.LOCAL_HTTPS ?? !isLoopback(webDomain);
  const origin = `${https ? 'https' : 'http'}://${webDomain}`;
  return {
    dataDir: resolve(env.DATA_DIR),
    role: env.ROLE,
    http: {
      bind: env.BIND,
      port: env.PORT,
      trustedProxies: env.TRUSTED_PROXY_IP ?? PRIVATE_NETWORKS,
      trustsByDefault: env.TRUSTED_PROXY_IP === undefined,
      metricsAllowed: env.METRICS_ALLOWED_IP,
    },
    site: {
      localDomain,
      webDomain,
      https,
      origin,
      sourceUrl: env.SOURCE_BASE_URL ?? origin,
      movedFrom: env.LOCAL_DOMAIN_BEFORE,
    },
    database: { url: env.DATABASE_URL, pool: env.DB_POOL },
    eventStoreUrl: env.EVENTSTORE_URL,
    transparencyLog: {
      checkpointFile: resolve(env.LOG_CHECKPOINT_FILE ?? join(env.DATA_DIR, 'log-checkpoint')),
      verifyHours: env.LOG_VERIFY_HOURS,
      witnesses: env.LOG_WITNESSES,
      witnessFor: env.LOG_WITNESS_FOR,
    },
    erasureList: resolve(env.ERASURE_LIST ?? join(env.DATA_DIR, 'erasures.ndjson')),
    redisUrl: env.REDIS_URL,
    readModelTimeoutMs: env.SETTLE_TIMEOUT_MS,
    rateLimits: { enabled: env.RATE_LIMITS, exemptLoopback: env.RATE_LIMIT_EXEMPT_LOOPBACK },
    smtp: env.SMTP_SERVER === undefined ? undefined : toSmtp(env, env.SMTP_SERVER, localDomain),
    media: {
      programs: { ffmpeg: env.FFMPEG_BINARY, ffprobe: env.FFPROBE_BINARY },
      s3: env.S3_ENABLED && env.S3_BUCKET !== undefined ? toS3(env, env.S3_BUCKET) : undefined,
      cache: { budget: env.MEDIA_CACHE_SIZE, fetch: env.MEDIA_CACHE_FETCH },
    },
    secrets: {
      vapid:
        env.VAPID_PUBLIC_KEY === undefined || env.VAPID_PRIVATE_KEY === undefined
          ? undefined
          : { publicKey: env.VAPID_PUBLIC_KEY, privateKey: env.VAPID_PRIVATE_KEY },
      keys: env.ROOKERY_KEYS,
      secretKeyBase: env.SECRET_KEY_BASE,
    },
    oauth: { passwordGrant: env.OAUTH_PASSWORD_GRANT },
    federation: {
      limited: env.LIMITED_FEDERATION_MODE,
      allowedPrivateAddresses: env.ALLOWED_PRIVATE_ADDRESSES,
      receiptDays: env.DELIVERY_RECEIPT_DAYS,
      leaseSeconds: env.DELIVERY_LEASE_SECONDS,
    },
    translation: toTranslation(env),
    logLevel: env.LOG_LEVEL,
  };
}

/** Prefers DeepL when both are set, like Mastodon. */
function toTranslation(env: Environment): TranslationConfig | undefined {
  if (env.DEEPL_API_KEY !== undefined) {
    const host = env.DEEPL_PLAN === 'free' ? 'api-free.deepl.com' : 'api.deepl.com';
    return { provider: 'deepl', endpoint: `https://${host}`, apiKey: env.DEEPL_API_KEY };
  }
  if (env.LIBRE_TRANSLATE_ENDPOINT === undefined) return undefined;
  const endpoint = env.LIBRE_TRANSLATE_ENDPOINT.replace(/\/+$/, '');
  return { provider: 'libretranslate', endpoint, apiKey: env.LIBRE_TRANSLATE_API_KEY };
}

function toS3(env: Environment, bucket: string): S3Config {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return {
    bucket,
    region: env.S3_REGION,
    endpoint: env.S3_ENDPOINT,
    pathStyle: env.S3_ENDPOINT !== undefined && !env.S3_OVERRIDE_PATH_STYLE,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
    publicOrigin: env.S3_ALIAS_HOST && `${env.S3_PROTOCOL}://${env.S3_ALIAS_HOST}`,
  };
}

function toSmtp(env: Environment, host: string, localDomain: string): SmtpConfig {
  return {
    host,
    port: env.SMTP_PORT,
    domain: env.SMTP_DOMAIN,
    login:
      env.SMTP_LOGIN === undefined || env.SMTP_PASSWORD === undefined
        ? undefined
        : { user: env.SMTP_LOGIN, password: env.SMTP_PASSWORD },
    from: env.SMTP_FROM_ADDRESS ?? `notifications@${hostOf(localDomain)}`,
    tls: env.SMTP_TLS || env.SMTP_SSL,
    startTls: env.SMTP_ENABLE_STARTTLS,
    verifyCertificate: env.SMTP_OPENSSL_VERIFY_MODE === 'peer',
  };
}

const hostOf = (webDomain: string): string => new URL(`http://${webDomain}`).hostname;

/** Tells whether a host never leaves this machine: RFC 6761 section 6.3, and the loopback addresses. */
export const isLoopback = (webDomain: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(hostOf(webDomain));

/** Returns the environment for a child process: that of this process with changes. */
export const environmentWith = (changes: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...changes,
});
