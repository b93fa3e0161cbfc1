import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { openApiDocument } from '#interfaces/http/openapi/index.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { actor, furnish } from '../support/fuzz/scene.ts';
import { Things } from '../support/fuzz/things.ts';
import { pushReceiver } from '../support/push-service.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import {
  likeLibreTranslate,
  startTranslationServer,
  type TranslationServer,
} from '../support/translation-server.ts';
import { picture } from '../support/uploads.ts';

type Body = Record<string, unknown>;

/** Operations that nothing here can be done with. They take the body, and then refuse what it asks for. */
const IMPOSSIBLE_HERE: Record<string, string> = {
  'POST /api/v1/emails/confirmations': 'is for users with an unconfirmed address',
  'POST /api/v1/admin/alerts/:id/acknowledge': 'is for an alert that was raised',
  'POST /api/v1/admin/as_of': 'is for a moment within the log',
  'POST /api/v1/admin/projections/:name/skip': 'is for a read model that is halted',
  'POST /api/v1/admin/projections/:name/unskip': 'is for an event that is skipped',
  'POST /api/v1/admin/projections/:name/runs': 'is for a read model by its name',
  'POST /api/v1/admin/reactors/dead_letters/retry': 'is for events that were set aside',
};

/** Operations that look for the thing that a missing field does not name. */
const LOOKS_FOR_NOTHING = ['POST /api/v1/follows', 'POST /api/v1/reports'];

/** The statuses of a refusal that is about the body. */
const ABOUT_THE_BODY = [400, 422];

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/**
 * The document names the fields that a body must have. An operation accepts a body with only these fields and
 * refuses one without any of them.
 */
describe('The required fields of the OpenAPI document', function () {
  this.timeout(120_000);
  let server: TestServer;
  let translator: TranslationServer;
  let owner: TestUser;
  let user: TestUser;
  let application: string;
  let sound: Record<string, Body>;
  const things = new Things();
  const bodies = endpoints.filter(({ body }) => body);
  const { paths } = openApiDocument(endpoints, {
    title: 'Rookery',
    version: '1.0.0',
    origin: 'https://x.example',
  });

  before(async () => {
    translator = await startTranslationServer(likeLibreTranslate);
    server = await startTestServer({ LIBRE_TRANSLATE_ENDPOINT: translator.endpoint });
    owner = await actor(server, 'owner', 'Owner');
    user = await actor(server, 'user');
    application = await server.tokenFor(undefined, ['read', 'write']);
    await furnish(server, things, { owner, people: [user] });
    await strikes();
    await call('PATCH', '/api/v1/accounts/update_credentials', user.token, { discoverable: true });
    const status = { status: 'Cuervo', language: 'es' };
    const { body: kept } = await call('POST', '/api/v1/statuses', owner.token, status);
    things.add('translate', (kept as { id: string }).id);
    const image = new File([new Uint8Array(await picture(20, 20, 'png'))], 'crow.png', { type: 'image/png' });
    const checkpoints = await server.app.transparencyLog.record();
    sound = soundBodies({ owner, user, things, image, checkpoints });
    await call('POST', '/api/v1/crypto/keys/upload', owner.token, DEVICE);
  });
  after(async () => {
    await server.close();
    await translator.close();
  });

  it('are fields of the body', () => {
    const unknown = bodies.flatMap((endpoint) =>
      (endpoint.requires ?? [])
        .flat()
        .filter((name) => !(name in (endpoint.body?.shape ?? {})))
        .map((name) => `${nameOf(endpoint)}: ${name}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('are refused when one is missing', async () => {
    const accepted: string[] = [];
    for (const endpoint of bodies) {
      const { required, alternatives } = requiredOf(endpoint);
      const given = sound[nameOf(endpoint)] ?? {};
      const lacking = required.map((name) => [name, { ...given, [name]: undefined }] as const);
      if (alternatives.length > 0) lacking.push([alternatives.join(' or '), {}]);
      for (const [name, body] of lacking) {
        const { status } = await answerTo(endpoint, body);
        const isRefused =
          ABOUT_THE_BODY.includes(status) || (status === 404 && LOOKS_FOR_NOTHING.includes(nameOf(endpoint)));
        if (!isRefused) accepted.push(`${nameOf(endpoint)} without ${name}: ${status}`);
      }
    }
    const remedy = 'Refuse it in the handler: `requires` of an endpoint only describes';
    expect(accepted, remedy).to.deep.equal([]);
  });

  it('are sufficient', async () => {
    const refused: string[] = [];
    for (const endpoint of bodies) {
      const { required, alternatives } = requiredOf(endpoint);
      const given = sound[nameOf(endpoint)] ?? {};
      const whole = pick(given, required);
      const forms =
        alternatives.length > 0
          ? alternatives.map((name) => ({ ...whole, ...pick(given, [name]) }))
          : [whole];
      for (const body of forms) {
        const { status, body: reply } = await answerTo(endpoint, body);
        const isFine =
          nameOf(endpoint) in IMPOSSIBLE_HERE
            ? status >= 400 && !ABOUT_THE_BODY.includes(status)
            : status < 300;
        if (!isFine) {
          refused.push(`${nameOf(endpoint)} ${JSON.stringify(body)}: ${status} ${JSON.stringify(reply)}`);
        }
      }
    }
    const remedy =
      'Add a body with the fields that it must have to soundBodies of this spec, or the endpoint to NOT_ACCEPTED';
    expect(refused, remedy).to.deep.equal([]);
  });

  const call = (method: string, path: string, token: string, body?: unknown): Promise<Answer> =>
    server.call(method, path, { token, ...(body === undefined ? {} : { body }) });

  /** Gives the user three strikes, two of them with an appeal. */
  async function strikes(): Promise<void> {
    for (let count = 0; count < 3; count += 1) {
      await call('POST', `/api/v1/admin/accounts/${user.id}/action`, owner.token, { type: 'none' });
    }
    const { body } = await call('GET', '/api/v1/strikes', user.token);
    const [first, ...others] = (body as { id: string }[]).map(({ id }) => id);
    for (const id of others) await call('POST', `/api/v1/strikes/${id}/appeal`, user.token, { text: 'No' });
    things.add('strikes', first ?? '');
    const appeals = await call('GET', '/api/v1/admin/appeals', owner.token);
    const [approved, rejected] = appeals.body as { id: string }[];
    things.add('approve', approved?.id ?? '');
    things.add('reject', rejected?.id ?? '');
    const tags = await call('GET', '/api/v1/admin/tags', owner.token);
    for (const { id } of tags.body as { id: string }[]) things.add('tags', id);
  }

  /** Tries ids for the path and tokens until the outcome depends on the body alone. */
  async function answerTo({ method, path, auth, files }: Endpoint, fields: Body): Promise<Answer> {
    const body =
      files && Object.values(files.fields).some(({ required }) => required) ? formOf(fields) : fields;
    const tokens = auth === 'app' ? [application, owner.token] : [owner.token, user.token];
    let answer: Answer | undefined;
    for (const id of path.includes(':') ? things.candidates(path) : ['']) {
      for (const token of tokens) {
        answer = await call(method, path.replaceAll(/:\w+/g, id), token, body);
        if (answer.status !== 403 && answer.status !== 404) return answer;
      }
    }
    if (!answer) throw new Error(`There is nothing for ${path}`);
    return answer;
  }

  function requiredOf({ method, path }: Endpoint): { required: string[]; alternatives: string[] } {
    const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Described;
    const { content } = operation.requestBody;
    const { required = [], anyOf = [] } =
      (content['application/json'] ?? content['multipart/form-data'])?.schema ?? {};
    return { required, alternatives: anyOf.flatMap((form) => form.required) };
  }
});

interface Described {
  requestBody: {
    content: Record<string, { schema: { required?: string[]; anyOf?: { required: string[] }[] } }>;
  };
}

/** Returns the form of a browser with these texts and files. */
function formOf(fields: Body): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof File) form.set(name, value);
    else if (typeof value === 'string') form.set(name, value);
  }
  return form;
}

const pick = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.map((name) => [name, body[name]]));

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const DEVICE = {
  device: { device_id: 'phone', name: 'Phone', identity_key: key(1), fingerprint_key: key(2) },
};
const PERIOD = { start_at: '2026-11-01', end_at: '2026-11-02' };

/** Values for the required fields of each operation. */
function soundBodies({
  owner,
  user,
  things,
  image,
  checkpoints,
}: {
  owner: TestUser;
  user: TestUser;
  things: Things;
  image: File;
  checkpoints: string;
}): Record<string, Body> {
  const [victim = ''] = things.candidates('accounts');
  const [status = ''] = things.candidates('statuses');
  const [media = ''] = things.candidates('media').slice(1);
  const [kept = ''] = things.candidates('translate');
  const filter = { context: ['home'], title: 'Rooks', phrase: 'rooks' };
  return {
    'POST /api/v1/accounts': {
      username: 'newcomer',
      email: 'newcomer@example.org',
      password: 'correct horse battery',
      agreement: true,
    },
    'POST /api/v1/admin/accounts/:id/action': { type: 'none' },
    'POST /api/v1/admin/accounts/:id/statuses/action': { type: 'mark_as_sensitive', status_ids: [status] },
    'POST /api/v1/admin/canonical_email_blocks': {
      email: 'imp@example.org',
      canonical_email_hash: 'a'.repeat(64),
    },
    'POST /api/v1/admin/canonical_email_blocks/test': { email: 'imp@example.org' },
    'POST /api/v1/admin/as_of': { when: '2001-01-01' },
    'POST /api/v1/admin/audit/checkpoints/compare': { checkpoints },
    'POST /api/v1/admin/projections/:name/runs': { kind: 'verify' },
    'POST /api/v1/admin/projections/:name/skip': { position: '1', reason: 'It is broken' },
    'POST /api/v1/admin/projections/:name/unskip': { position: '1' },
    'POST /api/v1/admin/announcements': { text: 'We stay' },
    'PUT /api/v1/admin/accounts/:id/role': { role_id: '1' },
    'POST /api/v1/admin/custom_emojis': { shortcode: 'crow', image },
    'POST /api/v1/media': { file: image },
    'POST /api/v2/media': { file: image },
    'POST /api/v1/admin/rules': { text: 'Be brief' },
    'POST /api/v1/admin/rules/:id/move': { place: 1 },
    'POST /api/v1/admin/rules/:id/remove_translation': { language: 'de' },
    'POST /api/v1/admin/terms': { text: 'Be kind', effective_date: '2999-01-01' },
    'POST /api/v1/admin/domain_allows/import': { list: 'friends.example' },
    'POST /api/v1/admin/domain_blocks/import': { list: 'foes.example' },
    'POST /api/v1/admin/domain_allows': { domain: 'friend.example' },
    'POST /api/v1/admin/domain_blocks': { domain: 'foe.example' },
    'POST /api/v1/admin/relays': { inbox_url: 'https://another-relay.example/inbox' },
    'POST /api/v1/admin/email_domain_blocks': { domain: 'throwaway.example' },
    'POST /api/v1/admin/ip_blocks': { severity: 'sign_up_block' },
    'POST /api/v1/admin/measures': { keys: ['new_users'], ...PERIOD },
    'POST /api/v1/admin/reports/:id/action': { type: 'mark_as_sensitive' },
    'POST /api/v1/admin/reports/:id/notes': { content: 'Seen' },
    'POST /api/v1/admin/retention': PERIOD,
    'POST /api/v1/apps': { client_name: 'Rook', redirect_uris: 'https://rook.example/done' },
    'POST /api/v1/collections': { name: 'More birds' },
    'POST /api/v1/collections/:collection_id/items': { account_id: user.id },
    'POST /api/v1/crypto/deliveries': {
      device: [{ account_id: owner.id, device_id: 'phone', type: 0, body: 'x' }],
    },
    'POST /api/v1/crypto/encrypted_messages/clear': { up_to_id: '1' },
    'POST /api/v1/domain_blocks': { domain: 'loud.example' },
    'DELETE /api/v1/domain_blocks': { domain: 'loud.example' },
    'POST /api/v1/featured_tags': { name: 'birds' },
    'POST /api/v1/filters': filter,
    'PUT /api/v1/filters/:id': filter,
    'POST /api/v2/filters': filter,
    'POST /api/v2/filters/:filter_id/keywords': { keyword: 'crows' },
    'PUT /api/v1/filters/keywords/:id': { keyword: 'crows' },
    'PUT /api/v2/filters/keywords/:id': { keyword: 'ravens' },
    'POST /api/v2/filters/:filter_id/statuses': { status_id: things.candidates('statuses')[1] },
    'POST /api/v1/follows': { uri: user.username },
    'POST /api/v1/lists': { title: 'Birds' },
    'POST /api/v1/polls/:id/votes': { choices: ['0'] },
    'POST /api/v1/push/subscription': {
      subscription: { endpoint: 'https://push.example/1', keys: pushReceiver().keys },
    },
    'POST /api/v1/reports': { account_id: victim },
    'POST /api/v1/statuses': {
      status: 'Caw',
      spoiler_text: 'Caw?',
      media_ids: [media],
      quoted_status_id: kept,
    },
    'PUT /api/v1/statuses/:id': { status: 'Caw', spoiler_text: 'Caw?' },
    'POST /api/v1/strikes/:id/appeal': { text: 'It was a joke' },
  };
}
