import { expect } from 'chai';
import { Random } from '../support/fuzz/random.ts';
import {
  type FuzzRequest,
  type OpenApi,
  type Operation,
  operationsOf,
  RequestMaker,
} from '../support/fuzz/requests.ts';
import { actor, furnish } from '../support/fuzz/scene.ts';
import { type FuzzAnswer, send } from '../support/fuzz/send.ts';
import { Things } from '../support/fuzz/things.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import {
  likeLibreTranslate,
  startTranslationServer,
  type TranslationServer,
} from '../support/translation-server.ts';

/** Another seed makes other requests: `FUZZ_SEED=7 FUZZ_ROUNDS=20 npx mocha test/e2e/fuzz.api.spec.ts`. */
const SEED = process.env['FUZZ_SEED'] ?? '1';
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 2);
/** Most of their requests are refused before the input is read, so one round is enough. */
const STRANGERS = new Set(['anonymous', 'application']);
/**
 * The number of concurrent requests. With one, a seed always does the same. With more, requests affect each
 * other and a thing may be deleted before its reply is rendered, so events written by refused requests are
 * not checked.
 */
const WIDTH = Number(process.env['FUZZ_WIDTH'] ?? 1);

const NOTHING: ReadonlyMap<string, string[]> = new Map();

interface Sent {
  what: string;
  request: FuzzRequest;
  /** The statuses that the document declares for the operation. */
  statuses: readonly string[];
  answer: FuzzAnswer;
}

/**
 * Calls every endpoint of our own OpenAPI document as every kind of caller, with random input. No request may
 * break the server. A refused request must answer with an error in the API's form and write nothing to the
 * log. The same seed makes the same requests.
 */
describe(`Random input to every endpoint, with the seed ${SEED}`, function () {
  this.timeout(60_000 + ROUNDS * 30_000);
  let server: TestServer;
  let translator: TranslationServer;
  let openApi: OpenApi;
  let maker: RequestMaker;
  const tokens = new Map<string, string | undefined>();
  let position: bigint;

  before(async () => {
    translator = await startTranslationServer(likeLibreTranslate);
    server = await startTestServer({ LIBRE_TRANSLATE_ENDPOINT: translator.endpoint });
    const owner = await actor(server, 'owner', 'Owner');
    const user = await actor(server, 'user');
    const moderator = await actor(server, 'moderator', 'Moderator');
    const things = new Things();
    await furnish(server, things, { owner, people: [user, moderator] });
    openApi = (await server.call('GET', '/api/openapi.json')).body as OpenApi;
    maker = new RequestMaker(openApi, things);
    tokens.set('anonymous', undefined);
    tokens.set('user', user.token);
    tokens.set('moderator', moderator.token);
    tokens.set('owner', owner.token);
    tokens.set('application', await server.tokenFor(undefined, ['read', 'write']));
    position = await server.app.log.head();
  });
  after(async () => {
    await server.close();
    await translator.close();
  });

  for (let round = 1; round <= ROUNDS; round += 1) {
    it(`breaks nothing in round ${round}`, async () => {
      const problems: string[] = [];
      const operations = operationsOf(openApi);
      for (const [who, token] of tokens) {
        if (round > 1 && STRANGERS.has(who)) continue;
        const waiting = [...operations];
        const sent: Sent[] = [];
        const work = async (): Promise<void> => {
          for (let next = waiting.shift(); next; next = waiting.shift()) {
            const request = requestOf(next, who, token, round);
            const what = `${next.method} ${next.path} as ${who}`;
            try {
              sent.push({ what, request, statuses: next.statuses, answer: await send(server.url, request) });
            } catch (error) {
              problems.push(`${what}: ${String(error)}\n${shown(request)}`);
            }
          }
        };
        await Promise.all(Array.from({ length: WIDTH }, work));
        const written = await writtenSince();
        problems.push(...sent.flatMap((each) => problemsOf(each, WIDTH === 1 ? written : NOTHING)));
      }
      expect(problems, problems.join('\n\n')).to.deep.equal([]);
    });
  }

  const requestOf = (
    operation: Operation,
    who: string,
    token: string | undefined,
    round: number,
  ): FuzzRequest => {
    const random = new Random(SEED, operation.method, operation.path, who, round);
    const request = maker.make(random, operation);
    return token === undefined
      ? request
      : { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } };
  };

  /** Returns the types of the events that each request wrote since the previous call, by request id. */
  async function writtenSince(): Promise<Map<string, string[]>> {
    const written = new Map<string, string[]>();
    for (;;) {
      const events = await server.app.log.readAll(position, 1_000);
      for (const { type, metadata } of events) {
        const request = metadata.correlation_id;
        written.set(request, [...(written.get(request) ?? []), type]);
      }
      const last = events.at(-1);
      if (!last) return written;
      position = last.position;
    }
  }
});

function problemsOf(
  { what, request, statuses, answer }: Sent,
  written: ReadonlyMap<string, string[]>,
): string[] {
  const { status, requestId, text } = answer;
  const problem = (kind: string): string[] => [
    `${what}: ${kind}\n${shown(request)}\n${status} ${text.slice(0, 400)}`,
  ];
  if (status >= 500) return problem('failed');
  if ((requestId !== undefined || what.includes(' /oauth/')) && !statuses.includes(String(status)))
    return problem('has a status that the document does not name');
  if (status < 400) return [];
  if (!saysError(text)) return problem('has no error text');
  if (text.includes('must match pattern')) return problem('has an error text for programmers');
  const events = requestId === undefined ? undefined : written.get(requestId);
  return events ? problem(`was refused, and wrote ${events.join(', ')}`) : [];
}

function saysError(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string';
  } catch {
    return false;
  }
}

const shown = ({ method, path, headers, body }: FuzzRequest): string => {
  const { Authorization: _token, ...rest } = headers;
  return `${method} ${path.slice(0, 1_000)} ${JSON.stringify(rest)}\n${body?.toString().slice(0, 1_500) ?? ''}`;
};
