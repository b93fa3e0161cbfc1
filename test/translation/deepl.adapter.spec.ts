import { expect } from 'chai';
import { lazyHttpClient } from '#adapters/outbound-http/index.ts';
import { deepL } from '#adapters/translation/deepl.ts';
import { capitals, startTranslationServer, type TranslationServer } from '../support/translation-server.ts';

describe('Translating with DeepL', () => {
  let service: TranslationServer;
  const http = lazyHttpClient({ allowedPrivateAddresses: [], userAgent: 'spec', permits: () => true });
  before(async () => {
    service = await startTranslationServer(({ path, body }) => {
      if (path.endsWith('type=source')) return [{ language: 'EN' }, { language: 'ES' }];
      if (path.endsWith('type=target'))
        return [{ language: 'EN-GB' }, { language: 'EN-US' }, { language: 'ES' }];
      const texts = new URLSearchParams(body).getAll('text');
      return {
        translations: texts.map((text) => ({ detected_source_language: 'ES', text: capitals(text) })),
      };
    });
  });
  after(async () => {
    await http.close();
    await service.close();
  });
  beforeEach(() => (service.requests.length = 0));
  const open = () => deepL(http, { endpoint: service.endpoint, apiKey: 'key:fx' });

  it('returns its languages in the form of clients', async () => {
    expect(Object.fromEntries(await open().languages())).to.deep.equal({
      en: ['en-GB', 'en-US', 'es'],
      es: ['en-GB', 'en-US', 'en'],
      und: ['en-GB', 'en-US', 'es', 'en'],
    });
    expect(service.requests[0]?.headers.authorization).to.equal('DeepL-Auth-Key key:fx');
  });

  it('sends HTML in its format, fifty texts at a time', async () => {
    const texts = Array.from({ length: 60 }, (_, n) => `<p>texto ${n}</p>`);
    const { texts: translated, source } = await open().translate(texts, null, 'en-GB');
    expect(source).to.equal('es');
    expect(translated).to.deep.equal(texts.map(capitals));
    expect(service.requests.map(({ body }) => new URLSearchParams(body).getAll('text').length)).to.deep.equal(
      [50, 10],
    );
    const form = new URLSearchParams(service.requests[0]?.body);
    expect(form.get('target_lang')).to.equal('EN-GB');
    expect(form.get('tag_handling')).to.equal('html');
    expect(form.has('source_lang')).to.equal(false);
  });

  it('names the source if it is known, and reports a used-up quota', async () => {
    await open().translate(['hola'], 'es', 'en');
    expect(new URLSearchParams(service.requests[0]?.body).get('source_lang')).to.equal('ES');
    service.failure = { status: 456, body: '{"message":"Quota exceeded"}' };
    const refused = await open()
      .translate(['hola'], 'es', 'en')
      .catch((error: unknown) => error);
    service.failure = null;
    expect(refused).to.include({ code: 'unavailable', message: 'Service Unavailable' });
  });
});
