import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { type Answer, startTestServer, type TestServer } from '../support/server.ts';
import { authorizePath, Browser, CALLBACK, locationOf, registerApp, type TestApp } from './client.ts';

describe('The response mode of an authorization', () => {
  let server: TestServer;
  let app: TestApp;
  before(async () => {
    server = await startTestServer();
    app = await registerApp(server);
    await server.user('alice');
  });
  after(() => server.close());

  const decide = async (mode: string, decision: string): Promise<Answer> => {
    const browser = new Browser(server);
    const path = authorizePath(app, { response_mode: mode, state: 'a&b' });
    await browser.signIn(path, 'alice', 'correct horse alice');
    return browser.send('consent', { decision });
  };

  it('puts the answer into the fragment', async () => {
    const [address, answer = ''] = locationOf(await decide('fragment', 'approve')).split('#');
    expect(address).to.equal(CALLBACK);
    const fields = new URLSearchParams(answer);
    expect([...fields.keys()]).to.deep.equal(['code', 'state']);
    expect(fields.get('state')).to.equal('a&b');
    expect(locationOf(await decide('fragment', 'deny'))).to.match(/#error=access_denied&/);
  });

  it('puts the answer into the query by default, and on request', async () => {
    for (const mode of ['', 'query']) {
      expect(locationOf(await decide(mode, 'approve')), mode).to.match(/\/callback\?code=.+&state=a%26b$/);
    }
  });

  it('sends the answer as a form with the only script that may run', async () => {
    const { status, headers, body } = await decide('form_post', 'approve');
    expect(status).to.equal(200);
    expect(body)
      .to.include(`action="${CALLBACK}"`)
      .and.match(/name="code" value="[\w-]{20,}"/);
    expect(body).to.include('name="state" value="a&#38;b"');
    const [, script = ''] = /<script>([^<]*)<\/script>/.exec(body as string) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(script).to.equal('document.forms[0].submit()');
    expect(headers.get('content-security-policy')).to.include(`script-src 'sha256-${hash}'`);
    expect((await decide('form_post', 'deny')).body).to.include('name="error" value="access_denied"');
  });

  it('is one of three', async () => {
    const { status, body } = await server.call('GET', authorizePath(app, { response_mode: 'web_message' }));
    expect(status).to.equal(400);
    expect(body).to.include('response mode');
  });
});
