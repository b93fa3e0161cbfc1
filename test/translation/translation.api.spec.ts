import { expect } from 'chai';
import { status } from '#commands/statuses/status.ts';
import { StatusCreated, type StatusData, statusStream } from '#events/statuses.ts';
import type { Status, Translation } from '#mastodon/schemas/index.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import {
  likeLibreTranslate,
  startTranslationServer,
  type TranslationServer,
} from '../support/translation-server.ts';

describe('Translating statuses', () => {
  let provider: TranslationServer;
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  before(async function () {
    this.timeout(120_000);
    provider = await startTranslationServer(likeLibreTranslate);
    server = await startTestServer({
      LIBRE_TRANSLATE_ENDPOINT: `${provider.endpoint}/`,
      LIBRE_TRANSLATE_API_KEY: 'secret key',
    });
    alice = await server.user('alice');
    bob = await server.user('bob');
  });
  after(async () => {
    await server.close();
    await provider.close();
  });
  beforeEach(() => {
    provider.requests.length = 0;
    provider.failure = null;
  });

  const post = async (body: object): Promise<Status> => {
    const made = await server.call('POST', '/api/v1/statuses', { token: alice.token, body });
    expect(made.status, JSON.stringify(made.body)).to.equal(200);
    return made.body as Status;
  };
  /** A post as another server may send it. */
  const elsewhere = async (data: Partial<StatusData>): Promise<string> => {
    const ctx = server.app.systemContext('spec');
    const id = ctx.newId();
    const sample = StatusCreated.samples[StatusCreated.version] as unknown as StatusData;
    const created = {
      ...sample,
      poll: null,
      tags: [],
      text: null,
      local: false,
      account_id: alice.id,
      ...data,
    };
    const event = { type: 'StatusCreated', data: { ...created, id, conversation_id: id } } as const;
    await ctx.execute(statusStream(id), status, () => [event], { isNew: true });
    await server.waitUntilIdle();
    return id;
  };
  const translate = (id: string, body: object = { lang: 'en' }, token = bob.token): Promise<Answer> =>
    server.call('POST', `/api/v1/statuses/${id}/translate`, { token, body });

  it('returns text, warning and poll in the requested language', async () => {
    const made = await post({
      status: 'Hola <mundo> & #Todos',
      spoiler_text: 'Saludos <3 & más',
      language: 'es',
      poll: { options: ['Sí & no', 'Quizás'], expires_in: 600 },
    });
    const { status: code, body } = await translate(made.id);
    expect(code, JSON.stringify(body)).to.equal(200);
    const translation = body as Translation;
    expect(translation).to.include({
      spoiler_text: 'SALUDOS <3 & MÁS',
      language: 'en',
      detected_source_language: 'es',
      provider: 'LibreTranslate',
    });
    expect(translation.poll).to.deep.equal({
      id: made.poll?.id,
      options: [{ title: 'SÍ & NO' }, { title: 'QUIZÁS' }],
    });
    expect(translation.content)
      .to.contain('HOLA &lt;MUNDO&gt; &amp;')
      .and.to.contain('class="mention hashtag"');
    expect(translation.media_attachments).to.deep.equal([]);
    const [, sent] = provider.requests;
    expect(JSON.parse(sent?.body ?? '')).to.include({
      source: 'es',
      target: 'en',
      format: 'html',
      api_key: 'secret key',
    });
  });

  it('never returns harmful HTML', async () => {
    const { id } = await post({ status: 'Cuidado', language: 'es' });
    const { body } = await translate(id);
    expect((body as Translation).content)
      .to.contain('CUIDADO')
      .and.not.to.match(/script|img|onerror/);
  });

  it('lets the service detect the language if the author named none', async () => {
    const id = await elsewhere({ content: '<p>Buenos días</p>', language: null });
    const { body } = await translate(id);
    expect(body).to.include({
      content: '<p>BUENOS DÍAS</p>',
      detected_source_language: 'es',
      language: 'en',
    });
  });

  it("translates into the viewer's language by default", async () => {
    const { id } = await post({ status: 'Sin idioma', language: 'es' });
    expect((await translate(id, {})).body).to.include({ language: 'en' });
  });

  it('translates descriptions of media, if there are any', async () => {
    const picture = {
      type: 'image',
      file: null,
      preview: null,
      remote_url: null,
      meta: null,
      blurhash: null,
    } as const;
    const id = await elsewhere({
      content: '',
      language: 'es',
      media: [
        { ...picture, id: '7', description: null },
        { ...picture, id: '8', description: 'Un gato & una "silla"' },
      ],
    });
    const { body } = await translate(id);
    expect((body as Translation).media_attachments).to.deep.equal([
      { id: '8', description: 'UN GATO & UNA "SILLA"' },
    ]);
  });

  it('requests the same text once', async () => {
    const { id } = await post({ status: 'Una vez', language: 'es' });
    const answers = await Promise.all([translate(id), translate(id), translate(id)]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    await translate(id);
    expect(provider.requests.filter(({ path }) => path === '/translate')).to.have.length(1);
    await translate(id, { lang: 'de' });
    expect(provider.requests.filter(({ path }) => path === '/translate')).to.have.length(2);
  });

  it('sends only public posts to the translator', async () => {
    const quiet = await post({ status: 'Secreto', language: 'es', visibility: 'private' });
    const direct = await post({ status: 'Para @bob', language: 'es', visibility: 'direct' });
    expect((await translate(quiet.id)).status, 'hidden from bob').to.equal(404);
    expect((await translate(quiet.id, { lang: 'en' }, alice.token)).status).to.equal(403);
    expect((await translate(direct.id)).status).to.equal(403);
    expect((await translate('1')).status).to.equal(404);
    expect(provider.requests).to.deep.equal([]);
  });

  it('refuses unsupported languages', async () => {
    const { id } = await post({ status: 'Hola', language: 'es' });
    for (const lang of ['fr', 'es', 'nonsense'])
      expect((await translate(id, { lang })).status, lang).to.equal(403);
    const french = await post({ status: 'Salut', language: 'fr' });
    expect((await translate(french.id)).status).to.equal(403);
    expect((await translate(id, { lang: 'x'.repeat(50) })).status).to.equal(422);
  });

  it('reports a failure of the service, and tries again the next time', async () => {
    const { id } = await post({ status: 'Otra vez', language: 'es' });
    for (const failure of [
      { status: 429, body: '{"error":"Slowdown"}' },
      { status: 200, body: 'no JSON' },
      { status: 200, body: '{"translatedText":[]}' },
      { status: 302, body: '{}' },
    ]) {
      provider.failure = failure;
      const { status, body } = await translate(id);
      expect([status, body], failure.body).to.deep.equal([503, { error: 'Service Unavailable' }]);
    }
    provider.failure = null;
    expect((await translate(id)).status).to.equal(200);
  });

  it('lists the supported languages', async () => {
    const { status, body } = await server.call('GET', '/api/v1/instance/translation_languages');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ en: ['de', 'es'], es: ['de', 'en'], und: ['de', 'en', 'es'] });
  });

  it("needs a token with the right scope, also an application's own", async () => {
    const { id } = await post({ status: 'Con permiso', language: 'es' });
    await server.waitUntilIdle();
    expect((await server.call('POST', `/api/v1/statuses/${id}/translate`)).status).to.equal(401);
    const writer = await server.tokenFor(bob.id, ['write']);
    expect((await translate(id, {}, writer)).status).to.equal(403);
    const application = await server.tokenFor(undefined, ['read']);
    expect((await translate(id, {}, application)).body).to.include({ language: 'en' });
  });
});

describe('Translating statuses without a translation service', () => {
  let server: TestServer;
  before(async function () {
    this.timeout(120_000);
    server = await startTestServer();
  });
  after(() => server.close());

  it('is unavailable for every status', async () => {
    const alice = await server.user('alice');
    const { status, body } = await server.call('POST', '/api/v1/statuses/1/translate', {
      token: alice.token,
    });
    expect([status, body]).to.deep.equal([404, { error: 'Translation is not set up on this server' }]);
    const languages = await server.call('GET', '/api/v1/instance/translation_languages');
    expect([languages.status, languages.body]).to.deep.equal([200, {}]);
  });
});
