import { expect } from 'chai';
import { alertOf, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import {
  likeLibreTranslate,
  startTranslationServer,
  type TranslationServer,
} from '../support/translation-server.ts';

describe('Translating posts in the web client', function () {
  this.timeout(120_000);
  let provider: TranslationServer;
  let server: TestServer;
  let bob: TestUser;
  let browser: Browser;
  before(async () => {
    provider = await startTranslationServer(likeLibreTranslate);
    server = await startTestServer({ LIBRE_TRANSLATE_ENDPOINT: `${provider.endpoint}/` });
    await server.user('alice');
    bob = await server.user('bob');
    browser = await signedIn(server, 'alice');
  });
  after(async () => {
    await server.close();
    await provider.close();
  });

  const post = async (body: object): Promise<string> => {
    const made = await server.call('POST', '/api/v1/statuses', { token: bob.token, body });
    return `/@bob/${(made.body as { id: string }).id}`;
  };
  const open = async (path: string): Promise<Answer> => {
    await server.waitUntilIdle();
    return browser.open(path);
  };

  it('offers a translation, shows it with its provider, and leads back', async () => {
    const page = await post({
      status: 'hola mundo',
      language: 'es',
      poll: { options: ['uno', 'dos'], expires_in: 3_600 },
    });
    const original = await open(page);
    expect(original.body).to.contain('Translate from Spanish').and.to.contain('hola mundo');
    expect((await open(`${page}/actions`)).body).to.contain(`href="${page}?translate=1"`);
    const translated = await open(`${page}?translate=1`);
    expect(translated.body)
      .to.contain('HOLA MUNDO')
      .and.to.contain('UNO')
      .and.to.contain('Translated from Spanish')
      .and.to.contain('LibreTranslate');
    expect(translated.body).not.to.contain('alert(1)');
    expect(load(translated.body as string).one('a', { href: page })).not.to.equal(undefined);
  });

  it('offers none for posts that are private or in a language that the translator does not know', async () => {
    for (const body of [
      { status: '@alice secreto', language: 'es', visibility: 'direct' },
      { status: 'salut', language: 'fr' },
    ]) {
      const page = await post(body);
      for (const path of [page, `${page}?translate=1`, `${page}/actions`]) {
        const { status, body: text } = await open(path);
        expect(status, path).to.equal(200);
        expect(text, path).not.to.match(/Translat/);
      }
    }
  });

  it('shows the original, and why, when the translator fails', async () => {
    const page = await post({ status: 'adios', language: 'es' });
    provider.failure = { status: 500, body: '{}' };
    const answer = await open(`${page}?translate=1`);
    provider.failure = null;
    expect(answer.status).to.equal(200);
    expect(alertOf(answer)).to.contain('Please try again later');
    expect(answer.body).to.contain('adios');
  });
});
