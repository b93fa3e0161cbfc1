import { expect } from 'chai';
import { settingNames } from '#config/config.ts';
import { misspelledSettings } from '#config/misspelled.ts';

/** Returns the settings that variables with these names were meant to be, each with a value. */
const meantBy = (...names: string[]): string[] =>
  misspelledSettings(Object.fromEntries(names.map((name) => [name, 'value'])), settingNames()).map(
    ({ meant }) => meant,
  );

describe('Misspelled settings', () => {
  it('are recognised by a missing, an added, a wrong or a swapped letter', () => {
    const pairs = {
      LOCALDOMAIN: 'LOCAL_DOMAIN',
      local_domain: 'LOCAL_DOMAIN',
      'LOCAL-DOMAIN': 'LOCAL_DOMAIN',
      LOCAL_DOMIAN: 'LOCAL_DOMAIN',
      LOCAL_DOMAINS: 'LOCAL_DOMAIN',
      DATABSE_URL: 'DATABASE_URL',
      DATABASE_URI: 'DATABASE_URL',
      REDIS_URI: 'REDIS_URL',
      SMTP_SEVER: 'SMTP_SERVER',
      TRUSTED_PROXY_IPS: 'TRUSTED_PROXY_IP',
      DATADIR: 'DATA_DIR',
      LOGLEVEL: 'LOG_LEVEL',
      S3_ENABLE: 'S3_ENABLED',
    };
    for (const [name, meant] of Object.entries(pairs)) expect(meantBy(name), name).to.deep.equal([meant]);
  });

  it('are none of the settings themselves, and none without a value', () => {
    expect(meantBy(...settingNames())).to.deep.equal([]);
    expect(misspelledSettings({ LOCALDOMAIN: ' ', LOCAL_DOMIAN: undefined }, settingNames())).to.deep.equal(
      [],
    );
  });

  it('are no variables of the system, of other programs and of Kubernetes', () => {
    const others = `PATH HOME SHELL LANG LC_ALL TERM USER LOGNAME HOSTNAME PWD OLDPWD SHLVL TMPDIR TZ EDITOR MAIL DISPLAY HOST PORTS
      BINDS ROLES NODE_ENV NODE_OPTIONS NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS npm_config_cache npm_package_name npm_lifecycle_event INIT_CWD
      MALLOC_ARENA_MAX MALLOC_MMAP_THRESHOLD_ PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB POSTGRES_HOST
      POSTGRES_PORT DB_HOST DB_PORT DB_NAME DB_USER DB_PASS DB_PASSWORD REDIS_HOST REDIS_PORT REDIS_PASSWORD REDIS_DB REDIS_SERVICE_HOST
      REDIS_SERVICE_PORT ROOKERY_PORT ROOKERY_SERVICE_HOST ROOKERY_SERVICE_PORT ROOKERY_PORT_3000_TCP KUBERNETES_PORT EVENTSTORE_PORT
      EVENTSTORE_CLUSTER_SIZE EVENTSTORE_INSECURE SMTP_HOST SMTP_USER SMTP_PASS SMTP_FROM SMTP_AUTH_METHOD SMTP_DELIVERY_METHOD S3_HOSTNAME
      S3_KEY S3_SECRET AWS_REGION AWS_PROFILE AWS_SESSION_TOKEN AWS_DEFAULT_REGION INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID XDG_RUNTIME_DIR
      XDG_SESSION_ID CACHE_DIRECTORY STATE_DIRECTORY LOGS_DIRECTORY SSH_AUTH_SOCK http_proxy HTTPS_PROXY NO_PROXY DOCKER_HOST COMPOSE_PROJECT_NAME
      SINGLE_USER_MODE ALTERNATE_DOMAINS SIDEKIQ_CONCURRENCY WEB_CONCURRENCY MAX_THREADS STREAMING_API_BASE_URL OTP_SECRET CDN_HOST ES_HOST
      ELASTICSEARCH_URL DEEPL_URL LOG_FORMAT LOG_FILE LOCAL_TIMEZONE WEB_PORT`;
    expect(meantBy(...others.trim().split(/\s+/))).to.deep.equal([]);
  });
});
