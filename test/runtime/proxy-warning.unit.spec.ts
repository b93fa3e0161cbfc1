import { expect } from 'chai';
import { warningOfProxies } from '#app/proxy-warning.ts';
import { loadConfig } from '#config/config.ts';

describe('The warning about trusted proxies', () => {
  const warning = (env: Record<string, string>): string | undefined => warningOfProxies(loadConfig(env).http);

  for (const bind of ['0.0.0.0', '::', '8.8.8.8', '2a01:4f8::1', 'social.example']) {
    it(`is logged when the server listens on ${bind} and trusts every private network by default`, () => {
      expect(warning({ BIND: bind })).to.match(/set TRUSTED_PROXY_IP/);
    });
  }

  for (const bind of ['127.0.0.1', '::1', 'localhost', '10.0.0.7', '192.168.1.2', 'fd00::1']) {
    it(`is not logged when the server listens on ${bind} only`, () => {
      expect(warning({ BIND: bind })).to.equal(undefined);
    });
  }

  it('is not logged when the operator names the proxies', () => {
    expect(warning({ BIND: '0.0.0.0', TRUSTED_PROXY_IP: '10.0.0.0/8' })).to.equal(undefined);
  });
});
