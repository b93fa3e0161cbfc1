import { expect } from 'chai';
import type { FilterKeyword, FilterStatus, V1Filter } from '#mastodon/schemas/index.ts';
import { filtersOf } from '#queries/filters/index.ts';
import type { FullFilter as Full } from '#queries/filters/read.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('Filters', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  before(async () => {
    server = await startTestServer();
    [alice, bob] = [await server.user('alice'), await server.user('bob')];
  });
  after(() => server.close());

  const call = (method: string, path: string, body?: unknown, who: TestUser = alice): Promise<Answer> =>
    server.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) });
  const ok = async <Json>(reply: Promise<Answer>): Promise<Json> => {
    const { status, body } = await reply;
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as Json;
  };
  const make = (body: object = {}): Promise<Full> =>
    ok(call('POST', '/api/v2/filters', { title: 'Series', context: ['home'], ...body }));
  const show = (id: string): Promise<Full> => ok(call('GET', `/api/v2/filters/${id}`));
  const post = async (body: object, who: TestUser = bob): Promise<string> =>
    (await ok<{ id: string }>(call('POST', '/api/v1/statuses', body, who))).id;
  /** Returns the types of the events that this work appends, without quota claims. */
  const eventsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    await server.waitUntilIdle();
    const head = await server.app.log.head();
    await work();
    const types = (await server.app.log.readAll(head, 100)).map(({ type }) => type);
    return types.filter((type) => !type.startsWith('Quota'));
  };
  /** Returns the titles of Alice's filters that match a text. */
  const matched = async (text: string, statusId = '1'): Promise<string[]> => {
    const { viewer } = (await server.app.authenticator.authenticate(alice.token)) ?? {};
    await server.waitUntilIdle();
    const filters = await filtersOf({ db: server.app.systemContext('spec').db, viewer });
    return filters?.match({ statusId, text }).map(({ filter }) => filter.title) ?? [];
  };

  describe('in API version 2', () => {
    it('are created, shown, listed, changed and deleted', async () => {
      const made = await make({
        context: ['home', 'thread'],
        filter_action: 'hide',
        keywords_attributes: [{ keyword: 'spoiler' }, { keyword: 'finale', whole_word: false }],
      });
      expect(made).to.deep.include({
        title: 'Series',
        context: ['home', 'thread'],
        filter_action: 'hide',
        expires_at: null,
        statuses: [],
      });
      expect(made.keywords.map(({ keyword, whole_word }) => [keyword, whole_word])).to.deep.equal([
        ['spoiler', true],
        ['finale', false],
      ]);
      expect(await show(made.id)).to.deep.equal(made);
      expect(await ok<Full[]>(call('GET', '/api/v2/filters'))).to.deep.include(made);

      const changed = await ok<Full>(
        call('PUT', `/api/v2/filters/${made.id}`, { title: 'Films', filter_action: 'blur' }),
      );
      expect(changed).to.deep.equal({ ...made, title: 'Films', filter_action: 'blur' });

      expect(await ok(call('DELETE', `/api/v2/filters/${made.id}`))).to.deep.equal({});
      expect((await call('GET', `/api/v2/filters/${made.id}`)).status).to.equal(404);
      expect((await call('GET', `/api/v2/filters/keywords/${made.keywords[0]?.id ?? ''}`)).status).to.equal(
        404,
      );
      expect((await call('DELETE', `/api/v2/filters/${made.id}`)).status).to.equal(404);
    });

    it('are created from forms as apps send them', async () => {
      const form = new URLSearchParams([
        ['title', 'Form'],
        ['context[]', 'public'],
        ['expires_in', ''],
        ['keywords_attributes[][keyword]', 'foo'],
        ['keywords_attributes[][whole_word]', 'false'],
        ['keywords_attributes[][keyword]', 'bar'],
        ['keywords_attributes[][whole_word]', 'true'],
      ]);
      const made = await ok<Full>(call('POST', '/api/v2/filters', form));
      expect(made).to.deep.include({ title: 'Form', context: ['public'], filter_action: 'warn' });
      const [foo, bar] = made.keywords;
      const edit = new URLSearchParams([
        ['keywords_attributes[][id]', foo?.id ?? ''],
        ['keywords_attributes[][_destroy]', 'true'],
        ['keywords_attributes[][id]', bar?.id ?? ''],
        ['keywords_attributes[][keyword]', 'baz'],
      ]);
      const edited = await ok<Full>(call('PUT', `/api/v2/filters/${made.id}`, edit));
      expect(edited.keywords).to.deep.equal([{ id: bar?.id, keyword: 'baz', whole_word: true }]);
    });

    it('store all keyword changes of one request in one event, and no event when nothing changes', async () => {
      const made = await make({ keywords_attributes: [{ keyword: 'one' }, { keyword: 'two' }] });
      const [one, two] = made.keywords;
      const edits = [
        { id: one?.id, _destroy: true },
        { id: two?.id, keyword: 'deux' },
        { keyword: 'three' },
        { keyword: 'four' },
      ];
      const change = (body: object) => call('PUT', `/api/v2/filters/${made.id}`, body);
      expect(await eventsOf(() => change({ keywords_attributes: edits }))).to.deep.equal([
        'FilterKeywordsEdited',
      ]);
      expect((await show(made.id)).keywords.map(({ keyword }) => keyword)).to.deep.equal([
        'deux',
        'three',
        'four',
      ]);
      expect(await eventsOf(() => change({ title: 'Series', context: ['home'] }))).to.deep.equal([]);
      expect(await eventsOf(() => make({ keywords_attributes: edits.slice(2) }))).to.deep.equal([
        'FilterCreated',
      ]);
    });

    it('apply all of several simultaneous changes', async () => {
      const made = await make({ keywords_attributes: [{ keyword: 'gone' }] });
      const gone = made.keywords[0]?.id;
      const words = ['north', 'east', 'south', 'west'];
      const replies = await Promise.all([
        ...words.map((keyword) => call('POST', `/api/v2/filters/${made.id}/keywords`, { keyword })),
        call('PUT', `/api/v2/filters/${made.id}`, { keywords_attributes: [{ id: gone, _destroy: true }] }),
        call('PUT', `/api/v2/filters/${made.id}`, { title: 'Both' }),
      ]);
      expect(replies.map(({ status }) => status)).to.deep.equal(replies.map(() => 200));
      const after = await show(made.id);
      expect(after.title).to.equal('Both');
      expect(after.keywords.map(({ keyword }) => keyword).sort()).to.deep.equal(words.toSorted());
    });

    it('are created once when a request is retried', async () => {
      const send = () =>
        server.call('POST', '/api/v2/filters', {
          token: alice.token,
          headers: { 'Idempotency-Key': 'filter' },
          body: { title: 'Once', context: ['home'], keywords_attributes: [{ keyword: 'x' }] },
        });
      const first = await send();
      const second = await send();
      expect(second.body).to.deep.equal(first.body);
      expect(await ok<Full[]>(call('GET', '/api/v2/filters'))).to.satisfy(
        (all: Full[]) => all.filter(({ title }) => title === 'Once').length === 1,
      );
    });

    it('refuse invalid input, and change nothing', async () => {
      const made = await make();
      const refused: [string, string, object, number][] = [
        ['POST', '/api/v2/filters', {}, 422],
        ['POST', '/api/v2/filters', { title: 'x', context: ['nowhere'] }, 422],
        ['POST', '/api/v2/filters', { title: 'x', context: [] }, 422],
        ['POST', '/api/v2/filters', { title: 'x'.repeat(257), context: ['home'] }, 422],
        ['POST', '/api/v2/filters', { title: 'x', context: ['home'], filter_action: 'eat' }, 422],
        ['POST', '/api/v2/filters', { title: 'x', context: ['home'], filter_action: '' }, 422],
        ['POST', '/api/v2/filters', { title: 'x', context: 'home' }, 422],
        [
          'POST',
          '/api/v2/filters',
          { title: 'x', context: ['home'], keywords_attributes: [{ keyword: 'x'.repeat(1_001) }] },
          422,
        ],
        ['PUT', `/api/v2/filters/${made.id}`, { title: '' }, 422],
        ['PUT', `/api/v2/filters/${made.id}`, { context: ['home', 'x'] }, 422],
        ['PUT', `/api/v2/filters/${made.id}`, { keywords_attributes: [{ id: '1', keyword: 'x' }] }, 404],
        ['PUT', `/api/v2/filters/${made.id}`, { keywords_attributes: [{ id: 'x', keyword: 'x' }] }, 404],
        ['POST', `/api/v2/filters/${made.id}/keywords`, {}, 422],
        ['POST', `/api/v2/filters/${made.id}/keywords`, { keyword: '' }, 422],
        ['POST', `/api/v2/filters/${made.id}/statuses`, {}, 422],
        ['POST', `/api/v2/filters/${made.id}/statuses`, { status_id: '1' }, 422],
      ];
      const events = await eventsOf(async () => {
        for (const [method, path, body, expected] of refused) {
          const reply = await call(method, path, body);
          expect([method, path, JSON.stringify(body).slice(0, 80), reply.status]).to.deep.equal([
            method,
            path,
            JSON.stringify(body).slice(0, 80),
            expected,
          ]);
          expect(reply.body.error).to.be.a('string');
        }
      });
      expect(events).to.deep.equal([]);
    });

    it('are not found by other accounts', async () => {
      const made = await make({ keywords_attributes: [{ keyword: 'x' }] });
      const statusId = await post({ status: 'hello' });
      const entry = await ok<FilterStatus>(
        call('POST', `/api/v2/filters/${made.id}/statuses`, { status_id: statusId }),
      );
      const keywordId = made.keywords[0]?.id ?? '';
      const attempts: [string, string, object?][] = [
        ['GET', `/api/v2/filters/${made.id}`],
        ['PUT', `/api/v2/filters/${made.id}`, { title: 'mine' }],
        ['DELETE', `/api/v2/filters/${made.id}`],
        ['GET', `/api/v2/filters/${made.id}/keywords`],
        ['POST', `/api/v2/filters/${made.id}/keywords`, { keyword: 'y' }],
        ['GET', `/api/v2/filters/${made.id}/statuses`],
        ['POST', `/api/v2/filters/${made.id}/statuses`, { status_id: statusId }],
        ['GET', `/api/v2/filters/statuses/${entry.id}`],
        ['DELETE', `/api/v2/filters/statuses/${entry.id}`],
        ...['/api/v1/filters', '/api/v1/filters/keywords', '/api/v2/filters/keywords'].flatMap(
          (base): [string, string, object?][] => [
            ['GET', `${base}/${keywordId}`],
            ['PUT', `${base}/${keywordId}`, { keyword: 'y', phrase: 'y', context: ['home'] }],
            ['DELETE', `${base}/${keywordId}`],
          ],
        ),
      ];
      const events = await eventsOf(async () => {
        for (const [method, path, body] of attempts) {
          const reply = await call(method, path, body, bob);
          expect([method, path, reply.status]).to.deep.equal([method, path, 404]);
          expect(reply.body).to.deep.equal({ error: 'Record not found' });
        }
      });
      expect(events).to.deep.equal([]);
      expect(await ok(call('GET', '/api/v2/filters', undefined, bob))).to.deep.equal([]);
      expect(await ok(call('GET', '/api/v1/filters', undefined, bob))).to.deep.equal([]);
    });

    it('require a token with the scope', async () => {
      const reader: TestUser = { ...alice, token: await server.tokenFor(alice.id, ['read:filters']) };
      const writer: TestUser = { ...alice, token: await server.tokenFor(alice.id, ['write:filters']) };
      const body = { title: 'x', context: ['home'] };
      expect((await call('GET', '/api/v2/filters', undefined, reader)).status).to.equal(200);
      expect((await call('POST', '/api/v2/filters', body, reader)).status).to.equal(403);
      expect((await call('GET', '/api/v2/filters', undefined, writer)).status).to.equal(403);
      expect((await call('POST', '/api/v2/filters', body, writer)).status).to.equal(200);
      expect((await server.call('GET', '/api/v2/filters')).status).to.equal(401);
    });
  });

  describe('with keywords', () => {
    for (const base of ['/api/v2/filters/keywords', '/api/v1/filters/keywords']) {
      it(`let them be shown, changed and deleted by id under ${base}`, async () => {
        const made = await make();
        const keyword = await ok<FilterKeyword>(
          call('POST', `/api/v2/filters/${made.id}/keywords`, { keyword: 'some', whole_word: false }),
        );
        expect(keyword).to.deep.include({ keyword: 'some', whole_word: false });
        const path = `${base}/${keyword.id}`;
        expect(await ok(call('GET', path))).to.deep.equal(keyword);
        const edited = await ok<FilterKeyword>(call('PUT', path, { keyword: 'other' }));
        expect(edited).to.deep.equal({ ...keyword, keyword: 'other' });
        expect(await ok(call('GET', `/api/v2/filters/${made.id}/keywords`))).to.deep.equal([edited]);
        expect((await call('PUT', path, { keyword: '' })).body.error).to.equal(
          "Validation failed: Keyword can't be blank",
        );
        expect(await ok(call('DELETE', path))).to.deep.equal({});
        expect((await call('GET', path)).status).to.equal(404);
        expect((await call('PUT', path, { keyword: 'x' })).status).to.equal(404);
        expect((await call('DELETE', path)).status).to.equal(404);
        expect(await ok(call('GET', `/api/v2/filters/${made.id}/keywords`))).to.deep.equal([]);
      });
    }
  });

  describe('with single statuses', () => {
    it('accept each status that their owner can see once', async () => {
      const made = await make();
      const visible = await post({ status: 'see' });
      const hidden = await post({ status: 'hidden', visibility: 'private' });
      const path = `/api/v2/filters/${made.id}/statuses`;
      const entry = await ok<FilterStatus>(call('POST', path, { status_id: visible }));
      expect(entry.status_id).to.equal(visible);
      expect(await ok(call('GET', path))).to.deep.equal([entry]);
      expect((await show(made.id)).statuses).to.deep.equal([entry]);
      expect(await ok(call('GET', `/api/v2/filters/statuses/${entry.id}`))).to.deep.equal(entry);
      expect((await call('POST', path, { status_id: visible })).status).to.equal(422);
      // A status that the owner cannot see is answered like an unknown one.
      const replies = [
        await call('POST', path, { status_id: hidden }),
        await call('POST', path, { status_id: '1' }),
      ];
      expect(replies.map(({ status, body }) => [status, body])).to.deep.equal(
        Array(2).fill([422, replies[0]?.body]),
      );
      expect(await matched('', visible)).to.include(made.title);
      expect(await ok(call('DELETE', `/api/v2/filters/statuses/${entry.id}`))).to.deep.equal({});
      expect((await call('GET', `/api/v2/filters/statuses/${entry.id}`)).status).to.equal(404);
      expect((await call('DELETE', `/api/v2/filters/statuses/${entry.id}`)).status).to.equal(404);
      expect(await matched('', visible)).to.deep.equal([]);
    });
  });

  describe('in API version 1', () => {
    it('are keywords, with the settings of their filter', async () => {
      const made = await ok<V1Filter>(
        call('POST', '/api/v1/filters', { phrase: 'spoiler', context: ['home', 'notifications'] }),
      );
      expect(made).to.deep.equal({
        id: made.id,
        phrase: 'spoiler',
        context: ['home', 'notifications'],
        whole_word: false,
        expires_at: null,
        irreversible: false,
      });
      const path = `/api/v1/filters/${made.id}`;
      expect(await ok(call('GET', path))).to.deep.equal(made);
      expect(await ok<V1Filter[]>(call('GET', '/api/v1/filters'))).to.deep.include(made);
      const changed = await ok<V1Filter>(
        call('PUT', path, { phrase: 'finale', context: ['public'], whole_word: true, irreversible: true }),
      );
      expect(changed).to.deep.equal({
        ...made,
        phrase: 'finale',
        context: ['public'],
        whole_word: true,
        irreversible: true,
      });
      const inV2 = (await ok<Full[]>(call('GET', '/api/v2/filters'))).find(({ keywords }) =>
        keywords.some(({ id }) => id === made.id),
      );
      expect(inV2).to.deep.include({ title: 'finale', filter_action: 'hide', context: ['public'] });
      expect(await ok(call('DELETE', path))).to.deep.equal({});
      expect((await call('GET', path)).status).to.equal(404);
      expect((await show(inV2?.id ?? '')).keywords).to.deep.equal([]);
    });

    it('refuse invalid input', async () => {
      const attempts: [object, string][] = [
        [{ context: ['home'] }, "Validation failed: Title can't be blank"],
        [
          { phrase: 'x' },
          "Validation failed: Context can't be blank, Context None or invalid context supplied",
        ],
        [{ phrase: 'x', context: ['x'] }, 'Validation failed: Context None or invalid context supplied'],
      ];
      for (const [body, error] of attempts) {
        const reply = await call('POST', '/api/v1/filters', body);
        expect([reply.status, reply.body.error]).to.deep.equal([422, error]);
      }
    });

    it('keep what a change does not name', async () => {
      const made = await ok<V1Filter>(
        call('POST', '/api/v1/filters', { phrase: 'cat', context: ['home', 'public'], whole_word: true }),
      );
      const changed = await ok<V1Filter>(call('PUT', `/api/v1/filters/${made.id}`, { phrase: 'dog' }));
      expect(changed).to.deep.equal({ ...made, phrase: 'dog' });
      await ok(call('DELETE', `/api/v1/filters/${made.id}`));
    });

    it('cannot change settings shared by several keywords', async () => {
      const made = await make({ keywords_attributes: [{ keyword: 'one' }, { keyword: 'two' }] });
      const path = `/api/v1/filters/${made.keywords[0]?.id ?? ''}`;
      expect((await call('PUT', path, { phrase: 'one', context: ['public'] })).status).to.equal(422);
      const changed = await ok<V1Filter>(call('PUT', path, { phrase: 'uno', context: ['home'] }));
      expect(changed.phrase).to.equal('uno');
    });
  });

  describe('matched for their owner', () => {
    it('apply changes immediately', async () => {
      const made = await make({ title: 'Now', keywords_attributes: [{ keyword: 'zebra' }] });
      expect(await matched('a zebra')).to.deep.equal(['Now']);
      expect(await matched('zebras')).to.deep.equal([]);
      const keyword = `/api/v2/filters/keywords/${made.keywords[0]?.id ?? ''}`;
      await ok(call('PUT', keyword, { keyword: 'lion' }));
      expect(await matched('a zebra')).to.deep.equal([]);
      expect(await matched('a lion')).to.deep.equal(['Now']);
      await ok(call('PUT', `/api/v2/filters/${made.id}`, { title: 'Then' }));
      expect(await matched('a lion')).to.deep.equal(['Then']);
      await ok(call('PUT', `/api/v2/filters/${made.id}`, { expires_in: 0 }));
      expect(await matched('a lion')).to.deep.equal([]);
      await ok(call('PUT', `/api/v2/filters/${made.id}`, { expires_in: '' }));
      expect(await matched('a lion')).to.deep.equal(['Then']);
      await ok(call('DELETE', `/api/v2/filters/${made.id}`));
      expect(await matched('a lion')).to.deep.equal([]);
    });

    it('do not match once they have expired, but are still listed', async () => {
      const made = await make({ expires_in: 0, keywords_attributes: [{ keyword: 'giraffe' }] });
      expect(made.expires_at).to.be.a('string');
      expect(await matched('a giraffe')).to.deep.equal([]);
      expect(await ok<Full[]>(call('GET', '/api/v2/filters'))).to.deep.include(made);
    });

    it('do not match for other accounts or for anonymous readers', async () => {
      const { viewer } = (await server.app.authenticator.authenticate(bob.token)) ?? {};
      const { db } = server.app.systemContext('spec');
      expect(await filtersOf({ db, viewer })).to.equal(undefined);
      expect(await filtersOf({ db, viewer: undefined })).to.equal(undefined);
    });
  });
});
