import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ConfigError, loadConfig, settingNames } from '#config/config.ts';

/** Examples of other implementations: of a witness, and of a log. */
const WITNESS_KEY = 'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2';
const LOG_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

const problemOf = (env: Record<string, string>): string => {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the settings were accepted');
};

describe('The settings', () => {
  it('are optional: the server then serves http://localhost:3000 from ./data', () => {
    const config = loadConfig({});
    expect(config.site).to.deep.equal({
      localDomain: 'localhost:3000',
      webDomain: 'localhost:3000',
      https: false,
      origin: 'http://localhost:3000',
      sourceUrl: 'http://localhost:3000',
      movedFrom: undefined,
    });
    expect(config.dataDir).to.equal(`${process.cwd()}/data`);
    expect(config.http.bind).to.equal('127.0.0.1');
    expect(config.database.url).to.equal(undefined);
    expect(config.database.pool).to.be.within(4, 20);
    expect(config.smtp).to.equal(undefined);
    expect(config.oauth.passwordGrant).to.equal(false);
  });

  it('put the port into the default domain', () => {
    expect(loadConfig({ PORT: '4123' }).site.origin).to.equal('http://localhost:4123');
    expect(loadConfig({ PORT: '80' }).site.origin).to.equal('http://localhost');
  });

  it('assume HTTPS for a real domain, and serve handles and API on two domains', () => {
    const { site } = loadConfig({ LOCAL_DOMAIN: 'Example.org', WEB_DOMAIN: 'social.bücher.example' });
    expect(site.localDomain).to.equal('example.org');
    expect(site.origin).to.equal('https://social.xn--bcher-kva.example');
    expect(loadConfig({ LOCAL_DOMAIN: 'example.org', LOCAL_HTTPS: 'false' }).site.origin).to.equal(
      'http://example.org',
    );
  });

  it('count an empty variable as missing', () => {
    expect(loadConfig({ PORT: '', REDIS_URL: ' ' })).to.deep.equal(loadConfig({}));
  });

  it('accept mail settings under the names of Mastodon', () => {
    const env = { SMTP_SERVER: 'mail.example', SMTP_LOGIN: 'me', SMTP_PASSWORD: 'pw', SMTP_SSL: 'true' };
    expect(loadConfig({ ...env, LOCAL_DOMAIN: 'example.org' }).smtp).to.deep.equal({
      host: 'mail.example',
      port: 25,
      domain: undefined,
      login: { user: 'me', password: 'pw' },
      from: 'notifications@example.org',
      tls: true,
      startTls: 'auto',
      verifyCertificate: true,
    });
  });

  it('choose the translation service: DeepL by its plan, or else LibreTranslate', () => {
    const libre = { LIBRE_TRANSLATE_ENDPOINT: 'http://10.0.0.1:5000/' };
    expect(loadConfig({}).translation).to.equal(undefined);
    expect(loadConfig({ LIBRE_TRANSLATE_API_KEY: 'x' }).translation).to.equal(undefined);
    expect(loadConfig(libre).translation).to.deep.equal({
      provider: 'libretranslate',
      endpoint: 'http://10.0.0.1:5000',
      apiKey: undefined,
    });
    expect(loadConfig({ ...libre, DEEPL_API_KEY: 'x' }).translation).to.deep.equal({
      provider: 'deepl',
      endpoint: 'https://api-free.deepl.com',
      apiKey: 'x',
    });
    expect(loadConfig({ DEEPL_API_KEY: 'x', DEEPL_PLAN: 'pro' }).translation).to.include({
      endpoint: 'https://api.deepl.com',
    });
  });

  it('name witnesses with their keys, and the logs to witness', () => {
    const { transparencyLog } = loadConfig({
      LOG_WITNESSES: `https://w.example/add-checkpoint ${WITNESS_KEY}, https://hook.example/`,
      LOG_WITNESS_FOR: LOG_KEY,
    });
    expect(transparencyLog.witnesses).to.deep.equal([
      { url: 'https://w.example/add-checkpoint', key: WITNESS_KEY },
      { url: 'https://hook.example/', key: undefined },
    ]);
    expect(transparencyLog.witnessFor).to.deep.equal([LOG_KEY]);
  });

  const wrong: [Record<string, string>, string][] = [
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '3e3' }, 'PORT must be a whole number from 0 to 65535'],
    [{ ROLE: 'web' }, 'ROLE must be one of all, api, projector, reactor'],
    [{ LOCAL_DOMAIN: 'https://example.org' }, 'LOCAL_DOMAIN must be a domain'],
    [{ LOCAL_DOMAIN: 'example.org/x' }, 'LOCAL_DOMAIN must be a domain'],
    [{ LOCAL_DOMAIN: 'example.org:99999' }, 'LOCAL_DOMAIN must be a domain'],
    [{ LOCAL_DOMAIN: 'x..y' }, 'LOCAL_DOMAIN must be a domain'],
    [{ WEB_DOMAIN: '-x.example' }, 'WEB_DOMAIN must be a domain'],
    [{ SMTP_SERVER: 'mail example.org' }, 'SMTP_SERVER must be a host'],
    [{ SMTP_SERVER: 'smtp://mail.example.org' }, 'SMTP_SERVER must be a host'],
    [{ DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL must be a URL that begins with postgres://'],
    [{ REDIS_URL: 'localhost:6379' }, 'REDIS_URL must be a URL that begins with redis://'],
    [{ LOG_WITNESSES: 'w.example' }, 'LOG_WITNESSES must be addresses that begin with https://'],
    [{ LOG_WITNESSES: `https://w.example ${LOG_KEY}` }, 'LOG_WITNESSES must be addresses that begin'],
    [{ LOG_WITNESS_FOR: WITNESS_KEY }, 'LOG_WITNESS_FOR must be keys of logs'],
    [{ TRUSTED_PROXY_IP: '10.0.0.0/33' }, 'TRUSTED_PROXY_IP must be IP addresses or CIDR ranges'],
    [{ RATE_LIMITS: 'maybe' }, 'RATE_LIMITS must be true or false'],
    [{ VAPID_PUBLIC_KEY: 'x' }, 'VAPID_PRIVATE_KEY must be set too, because VAPID_PUBLIC_KEY is'],
    [{ SMTP_FROM_ADDRESS: 'nobody' }, 'SMTP_FROM_ADDRESS must be an e-mail address'],
    [{ DEEPL_PLAN: 'gold' }, 'DEEPL_PLAN must be one of free, pro'],
    [{ LIBRE_TRANSLATE_ENDPOINT: 'translate.example' }, 'LIBRE_TRANSLATE_ENDPOINT must be a URL'],
    [{ SECRET_KEY_BASE: 'short' }, 'SECRET_KEY_BASE must be at least 32 characters'],
  ];
  for (const [env, message] of wrong) {
    it(`refuse ${JSON.stringify(env)} and name the variable`, () => {
      expect(problemOf(env)).to.include(message);
    });
  }

  it('name every wrong variable at once, and repeat no value', () => {
    const problem = problemOf({ PORT: 'x', DB_POOL: '0', SECRET_KEY_BASE: 'hunter2' });
    expect(problem.split('\n')).to.have.length(3);
    expect(problem).not.to.include('hunter2');
  });

  it('are all described in CONFIGURATION.md', () => {
    const text = readFileSync(new URL('../../CONFIGURATION.md', import.meta.url), 'utf8');
    const described = [...text.matchAll(/^\| `([A-Z0-9_]+)`/gm)].map((match) => match[1]);
    const remedy = 'Describe each setting of src/config/config.ts in CONFIGURATION.md';
    expect(described.sort(), remedy).to.deep.equal(settingNames().sort());
  });
});
