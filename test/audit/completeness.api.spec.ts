import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { addAlias } from '#commands/accounts/index.ts';
import { addRule } from '#commands/instance/index.ts';
import { appealStrike } from '#commands/strikes/index.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { OPERATOR, type RecordedEvent } from '#kernel/event.ts';
import type { AdminAppeal, AuditEntry, Report } from '#mastodon/schemas/index.ts';
import { startRun } from '#storage/postgres/rebuild/projection-runs.ts';
import { queueFor, setAside } from '../console/support.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, startTown, type Town } from '../support/people.ts';
import { still } from '../support/pictures.ts';
import { withTwoFactor } from '../support/two-factor.ts';
import { CLI, commands, verbs } from './command-verbs.ts';
import { alertIn, haltedIn, noRunIn, pastBuildIn } from './operation-examples.ts';
import { READING, READING_VERBS } from './reading.ts';
import { announcementIn, applicantIn, linkToReview, tagToReview } from './staff-examples.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/**
 * Events recorded beside one that has an entry: the account of a new user, and claims of names and addresses.
 */
const BESIDE = new Set([
  ...['AccountCreated', 'UsernameReserved', 'EmailReserved', 'EmailReleased'],
  // The place of a relay among the limited number.
  ...['QuotaClaimed', 'QuotaReleased'],
  // The post of a `StatusRemoved` or a `StatusSensitized`, which have the entry, and its uploads.
  ...['StatusDeleted', 'StatusEdited', 'MediaDetached', 'MediaSealed'],
]);

/** A request by staff. Its path has the id filled in. */
interface Request {
  id?: string;
  body?: object;
}

describe('The audit log', function () {
  this.timeout(60_000);
  let town: Town;
  /** `boss` acts, and `other` prepares the objects of the actions. */
  let boss: Person;
  let other: Person;
  let folder: string;
  let count = 0;

  before(async function () {
    this.timeout(120_000);
    town = await startTown();
    boss = await town.staff('boss', 'Owner');
    other = await town.staff('other', 'Owner');
    folder = await mkdtemp(join(tmpdir(), 'rookery-audit-'));
    await mkdir(join(folder, 'emojis'));
    await writeFile(join(folder, 'emojis', 'blobcat.png'), await still('red'));
  });
  after(async () => {
    await town.close();
    await rm(folder, { recursive: true, force: true });
  });

  const somebody = (): Promise<Person> => town.person(`somebody${(count += 1)}`);
  const applicant = () => applicantIn(town, `applicant${(count += 1)}`);
  const ok = async <Json>(path: string, body: object = {}): Promise<Json> => {
    const { status, json } = await other.post<Json>(`/api/v1/admin/${path}`, body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  /** Creates an account with this action already taken against it. */
  const actedOn = async (type: string): Promise<Request & { person: Person }> => {
    const person = await somebody();
    await ok(`accounts/${person.id}/action`, { type });
    return { id: person.id, person };
  };
  /** Creates a pending appeal. */
  const appealed = async (type: string): Promise<{ id: string }> => {
    const { person } = await actedOn(type);
    await town.waitUntilIdle();
    const [strike] = await town.app.db.query<{ id: string }>(
      'select id from account_warnings where account_id = $1',
      [person.id],
    );
    const plea = { accountId: person.id, strikeId: strike?.id ?? '', text: 'Hm' };
    await appealStrike(town.app.systemContext('spec'), plea);
    await town.waitUntilIdle();
    const [appeal] = (await boss.get<AdminAppeal[]>('/api/v1/admin/appeals?limit=1')).json;
    return { id: appeal?.id ?? '' };
  };
  const made = async (path: string, body: object): Promise<Request> => ({
    id: (await ok<{ id: string }>(path, body)).id,
  });
  const domain = (): string => `far${(count += 1)}.example`;
  const relay = () => ({ inbox_url: `https://relay${(count += 1)}.example/inbox` });
  const range = (): string => `192.0.2.${(count += 1)}`;
  const filed = async (): Promise<Request & { about: Person }> => {
    const about = await somebody();
    const { json } = await (await somebody()).post<Report>('/api/v1/reports', { account_id: about.id });
    await town.waitUntilIdle();
    return { id: json.id, about };
  };
  const posted = async (): Promise<Request & { by: Person }> => {
    const by = await somebody();
    const { json } = await by.post<{ id: string }>('/api/v1/statuses', { status: 'Eggs' });
    return { id: json.id, by };
  };
  const marked = async (): Promise<Request> => {
    const { id = '' } = await posted();
    await ok(`statuses/${id}/mark_as_sensitive`);
    return { id };
  };
  const handled = async (what: string): Promise<Request> => {
    const { id = '' } = await filed();
    await ok(`reports/${id}/${what}`);
    return { id };
  };
  const trending = () => tagToReview(town, `tag${(count += 1)}`);
  const trendingLink = async () => linkToReview(town, (await posted()).id ?? '', domain());
  const halted = async (): Promise<string> => {
    await posted();
    return haltedIn(town);
  };
  const raisedAlert = () => alertIn(town);
  const builtPast = () => pastBuildIn(town, ok);
  const skippedEvent = async (): Promise<string> => {
    const position = await halted();
    await ok('projections/polls/skip', { position, reason: 'Spec' });
    await town.waitUntilIdle();
    return position;
  };
  const delivered = async (): Promise<Request> => {
    await posted();
    const host = domain();
    await queueFor(town, host);
    return { id: host };
  };
  const announced = (draft: boolean) => announcementIn(town, draft);
  const emojiForm = async (): Promise<FormData> => {
    const body = new FormData();
    body.set('shortcode', `bird${(count += 1)}`);
    body.set('image', new Blob([new Uint8Array(await still('red'))]), 'bird.png');
    return body;
  };
  const emojiMade = async (): Promise<string> =>
    (await ok<{ id: string }>('custom_emojis', await emojiForm())).id;
  const ruled = async (): Promise<string> => (await ok<{ id: string }>('rules', { text: 'Be kind' })).id;

  /** For each changing endpoint for staff, a request that changes something. `:id` is filled in. */
  const requests: Record<string, () => Promise<Request>> = {
    'POST /api/v1/admin/accounts/:id/action': async () => {
      const { id, about } = await filed();
      return { id: about.id, body: { type: 'silence', text: 'Stop', report_id: id } };
    },
    'POST /api/v1/admin/accounts/:id/approve': applicant,
    'POST /api/v1/admin/accounts/:id/reject': applicant,
    'POST /api/v1/admin/accounts/:id/enable': () => actedOn('disable'),
    'POST /api/v1/admin/accounts/:id/unsensitive': () => actedOn('sensitive'),
    'POST /api/v1/admin/accounts/:id/unsilence': () => actedOn('silence'),
    'POST /api/v1/admin/accounts/:id/unsuspend': () => actedOn('suspend'),
    'DELETE /api/v1/admin/accounts/:id': () => actedOn('suspend'),
    'PUT /api/v1/admin/accounts/:id/role': async () => ({
      id: (await somebody()).id,
      body: { role_id: '1' },
    }),
    'POST /api/v1/admin/announcements': async () => ({ body: { text: 'We stay' } }),
    'PUT /api/v1/admin/announcements/:id': async () => ({
      id: await announced(true),
      body: { text: 'We go' },
    }),
    'POST /api/v1/admin/announcements/:id/publish': async () => ({ id: await announced(true) }),
    'POST /api/v1/admin/announcements/:id/unpublish': async () => ({ id: await announced(false) }),
    'DELETE /api/v1/admin/announcements/:id': async () => ({ id: await announced(true) }),
    'POST /api/v1/admin/custom_emojis': async () => ({ body: await emojiForm() }),
    'PUT /api/v1/admin/custom_emojis/:id': async () => ({ id: await emojiMade(), body: { disabled: true } }),
    'DELETE /api/v1/admin/custom_emojis/:id': async () => ({ id: await emojiMade() }),
    'POST /api/v1/admin/rules': async () => ({ body: { text: 'Be kind' } }),
    'PUT /api/v1/admin/rules/:id': async () => ({
      id: await ruled(),
      body: { text: `Be kind ${(count += 1)}` },
    }),
    'POST /api/v1/admin/rules/:id/move': async () => {
      await ruled();
      return { id: await ruled(), body: { place: 1 } };
    },
    'POST /api/v1/admin/rules/:id/remove_translation': async () => {
      const id = await ruled();
      const german = { text: 'Sei nett', language: 'de' };
      expect((await other.put(`/api/v1/admin/rules/${id}`, german)).status).to.equal(200);
      return { id, body: { language: 'de' } };
    },
    'DELETE /api/v1/admin/rules/:id': async () => ({ id: await ruled() }),
    'PUT /api/v1/admin/settings': async () => ({ body: { title: `The Rookery ${(count += 1)}` } }),
    'POST /api/v1/admin/terms': async () => ({ body: { text: 'Be kind', effective_date: '2998-01-01' } }),
    'POST /api/v1/admin/appeals/:id/approve': () => appealed('suspend'),
    'POST /api/v1/admin/appeals/:id/reject': () => appealed('silence'),
    'POST /api/v1/admin/canonical_email_blocks': async () => ({ body: { email: 'bad@example.org' } }),
    'DELETE /api/v1/admin/canonical_email_blocks/:id': () =>
      made('canonical_email_blocks', { email: 'worse@example.org' }),
    'POST /api/v1/admin/domain_allows': async () => ({ body: { domain: domain() } }),
    'DELETE /api/v1/admin/domain_allows/:id': () => made('domain_allows', { domain: domain() }),
    'POST /api/v1/admin/domain_allows/import': async () => ({ body: { list: `${domain()}\n${domain()}` } }),
    'POST /api/v1/admin/domain_blocks/import': async () => ({ body: { list: `${domain()}\n${domain()}` } }),
    'POST /api/v1/admin/domain_blocks': async () => ({ body: { domain: domain() } }),
    'PUT /api/v1/admin/domain_blocks/:id': async () => ({
      ...(await made('domain_blocks', { domain: domain() })),
      body: { reject_media: true },
    }),
    'DELETE /api/v1/admin/domain_blocks/:id': () => made('domain_blocks', { domain: domain() }),
    'POST /api/v1/admin/email_domain_blocks': async () => ({ body: { domain: domain() } }),
    'DELETE /api/v1/admin/email_domain_blocks/:id': () => made('email_domain_blocks', { domain: domain() }),
    'POST /api/v1/admin/ip_blocks': async () => ({ body: { ip: range(), severity: 'sign_up_block' } }),
    'PUT /api/v1/admin/ip_blocks/:id': async () => ({
      ...(await made('ip_blocks', { ip: range(), severity: 'sign_up_block' })),
      body: { severity: 'sign_up_requires_approval' },
    }),
    'DELETE /api/v1/admin/ip_blocks/:id': () => made('ip_blocks', { ip: range(), severity: 'sign_up_block' }),
    'POST /api/v1/admin/as_of': () => Promise.resolve({ body: { when: '6' } }),
    'DELETE /api/v1/admin/as_of/:position': builtPast,
    'POST /api/v1/admin/alerts/:id/acknowledge': raisedAlert,
    'POST /api/v1/admin/federation/hosts/:host/retry': delivered,
    'POST /api/v1/admin/federation/hosts/:host/give_up': delivered,
    'POST /api/v1/admin/reactors/dead_letters/retry': async () => ({
      body: { reactor: 'preview-cards', event_id: await setAside(town, 'preview-cards') },
    }),
    'POST /api/v1/admin/projections/:name/rebuild': () => noRunIn(town),
    'POST /api/v1/admin/projections/:name/verify': () => noRunIn(town),
    'POST /api/v1/admin/projections/:name/runs': async () => ({ body: { kind: 'verify' } }),
    'POST /api/v1/admin/projections/runs/:id/cancel': async () => {
      const run = { id: '1', name: 'polls', kind: 'verify' } as const;
      await eventually(async () => expect(await startRun(town.app.db, run)).to.equal(true));
      return { id: run.id };
    },
    'POST /api/v1/admin/projections/:name/retry': async () => {
      await halted();
      return {};
    },
    'POST /api/v1/admin/projections/:name/skip': async () => ({
      body: { position: await halted(), reason: 'Spec' },
    }),
    'POST /api/v1/admin/projections/:name/unskip': async () => ({ body: { position: await skippedEvent() } }),
    'POST /api/v1/admin/relays': async () => ({ body: relay() }),
    'POST /api/v1/admin/relays/:id/enable': () => made('relays', relay()),
    'POST /api/v1/admin/relays/:id/disable': () => made('relays', relay()),
    'DELETE /api/v1/admin/relays/:id': () => made('relays', relay()),
    'PUT /api/v1/admin/reports/:id': async () => ({ ...(await filed()), body: { category: 'spam' } }),
    'POST /api/v1/admin/reports/:id/assign_to_self': filed,
    'POST /api/v1/admin/reports/:id/unassign': () => handled('assign_to_self'),
    'POST /api/v1/admin/reports/:id/resolve': filed,
    'POST /api/v1/admin/reports/:id/reopen': () => handled('resolve'),
    'POST /api/v1/admin/reports/:id/notes': async () => ({ ...(await filed()), body: { content: 'Hm' } }),
    'POST /api/v1/admin/statuses/:id/delete': posted,
    'POST /api/v1/admin/statuses/:id/mark_as_sensitive': posted,
    'POST /api/v1/admin/statuses/:id/unmark_as_sensitive': marked,
    'POST /api/v1/admin/accounts/:id/statuses/action': async () => {
      const { id = '', by } = await posted();
      return { id: by.id, body: { type: 'delete', status_ids: [id] } };
    },
    'POST /api/v1/admin/reports/:id/action': async () => {
      const { id = '', by } = await posted();
      const { json } = await (
        await somebody()
      ).post<Report>('/api/v1/reports', { account_id: by.id, status_ids: [id] });
      return { id: json.id, body: { type: 'delete' } };
    },
    'POST /api/v1/admin/trends/tags/:id/approve': trending,
    'POST /api/v1/admin/trends/tags/:id/reject': trending,
    'POST /api/v1/admin/trends/statuses/:id/approve': posted,
    'POST /api/v1/admin/trends/statuses/:id/reject': posted,
    'POST /api/v1/admin/trends/links/:id/approve': async () => ({ id: (await trendingLink()).link }),
    'POST /api/v1/admin/trends/links/:id/reject': async () => ({ id: (await trendingLink()).link }),
    'POST /api/v1/admin/trends/links/publishers/:id/approve': async () => ({
      id: (await trendingLink()).publisher,
    }),
    'POST /api/v1/admin/trends/links/publishers/:id/reject': async () => ({
      id: (await trendingLink()).publisher,
    }),
    'PUT /api/v1/admin/tags/:id': async () => ({ ...(await trending()), body: { trendable: true } }),
  };

  /** The arguments of each command that changes something. They run in this order. */
  const calls: Record<string, () => Promise<string[]>> = {
    'accounts create': async () => ['carla', '--email', 'carla@example.net', '--confirmed'],
    'accounts modify': async () => {
      const everything = ['--confirm', '--approve', '--disable', '--reset-password', '--role', 'Moderator'];
      const { username, id } = await applicant();
      await withTwoFactor(town.app, id);
      return [username, '--email', 'moved@example.net', '--disable-2fa', ...everything];
    },
    'accounts migrate': async () => [(await somebody()).username, '--to', 'other', '--force'],
    'accounts rotate-keys': async () => {
      const { id, username } = await somebody();
      await town.app.federation.keys.publicKeys(id);
      return [username];
    },
    'accounts alias add': async () => [(await somebody()).username, 'other'],
    'accounts alias remove': async () => {
      const { id, username } = await somebody();
      await addAlias(town.app.systemContext('spec'), { accountId: id, text: 'other' });
      return [username, 'other'];
    },
    'accounts approve': async () => [(await applicant()).username],
    'accounts reject': async () => [(await applicant()).username],
    'accounts delete': async () => [(await somebody()).username, '--yes'],
    'accounts suspend': async () => [(await somebody()).username, '--text', 'Stop'],
    'accounts silence': async () => [(await somebody()).username],
    'accounts sensitize': async () => [(await somebody()).username, '--no-notify'],
    'accounts warn': async () => [(await somebody()).username, '--text', 'Stop'],
    'accounts unsuspend': async () => [(await actedOn('suspend')).person.username],
    'accounts unsilence': async () => [(await actedOn('silence')).person.username],
    'accounts unsensitize': async () => [(await actedOn('sensitive')).person.username],
    'accounts export': async () => [(await somebody()).username, '--to', join(folder, 'export')],
    'accounts import': async () => {
      const file = join(folder, 'domains.csv');
      await writeFile(file, 'far.example\n');
      return [(await somebody()).username, 'domain-blocks', file];
    },
    'appeals approve': async () => [(await appealed('silence')).id, '--note', 'Sorry'],
    'appeals reject': async () => [(await appealed('sensitive')).id],
    'reports resolve': async () => [(await filed()).id ?? ''],
    'reports reopen': async () => [(await handled('resolve')).id ?? ''],
    'reports assign': async () => [(await filed()).id ?? '', 'other'],
    'reports unassign': async () => [(await handled('assign_to_self')).id ?? ''],
    'statuses delete': async () => [(await posted()).id ?? '', '--text', 'No eggs'],
    'statuses sensitize': async () => [(await posted()).id ?? '', '--no-notify'],
    'statuses unsensitize': async () => [(await marked()).id ?? ''],
    'tags allow': async () => [`tag${(count += 1)}`],
    'tags reject': async () => [`#tag${(count += 1)}`],
    'trends allow': async () => [(await posted()).id ?? ''],
    'trends reject': async () => [domain()],
    'tokens create': async () => ['other', '--scopes', 'read'],
    'settings registrations': async () => ['approved'],
    'settings set': async () => ['title', 'The Rookery'],
    'settings reset': async () => ['title'],
    'settings apps': async () => {
      const file = join(folder, 'apps.json');
      await writeFile(file, '[]');
      return ['--set', file];
    },
    'rules add': async () => ['Be kind'],
    'rules edit': async () => {
      const { state } = await addRule(town.app.systemContext('spec'), { text: 'Be short', hint: '' });
      const id = state.lastRuleId;
      return [String(id), '--text', 'Be brief', '--place', '1'];
    },
    'rules remove': async () => ['1'],
    'terms publish': async () => ['--file', 'LICENSE', '--effective', '2999-01-01'],
    'emoji import': async () => [join(folder, 'emojis')],
    'emoji modify': async () => ['blobcat', '--disable'],
    'emoji remove': async () => ['blobcat'],
    'announcements create': async () => ['We stay'],
    'announcements edit': async () => [await announced(true), '--text', 'We go'],
    'announcements publish': async () => [await announced(true)],
    'announcements unpublish': async () => [await announced(false)],
    'announcements delete': async () => [await announced(true)],
    'suggestions add': async () => ['other'],
    'suggestions remove': async () => ['other'],
    'domains block': async () => [domain(), '--severity', 'suspend'],
    'domains unblock': async () => {
      const blocked = domain();
      await ok('domain_blocks', { domain: blocked });
      return [blocked];
    },
    'domains import': async () => {
      const [fresh, blocked] = [domain(), domain()];
      await ok('domain_blocks', { domain: blocked });
      await writeFile(join(folder, 'blocks.csv'), `${fresh}\n${blocked}\n`);
      return [join(folder, 'blocks.csv')];
    },
    'domains allow': async () => [domain()],
    'domains unallow': async () => {
      const allowed = domain();
      await ok('domain_allows', { domain: allowed });
      return [allowed];
    },
    'projections rebuild': () => Promise.resolve(['polls']),
    'projections retry': async () => {
      await halted();
      return [];
    },
    'projections skip': async () => ['polls', await halted(), '--reason', 'Spec'],
    'projections unskip': async () => ['polls', await skippedEvent()],
    'reactors retry': async () => {
      await posted();
      await setAside(town, 'status-media');
      return ['status-media'];
    },
    'relays add': async () => [relay().inbox_url],
    'relays enable': async () => [(await made('relays', relay())).id ?? ''],
    'relays disable': async () => [(await made('relays', relay())).id ?? ''],
    'relays remove': async () => [(await made('relays', relay())).id ?? ''],
    'email-domain-blocks add': async () => [domain()],
    'email-domain-blocks remove': async () => {
      const blocked = domain();
      await ok('email_domain_blocks', { domain: blocked });
      return [blocked];
    },
    'ip-blocks add': async () => [range(), '--severity', 'sign_up_block'],
    'ip-blocks remove': async () => {
      const blocked = range();
      await ok('ip_blocks', { ip: blocked, severity: 'sign_up_block' });
      return [blocked];
    },
    'audit export': async () => [],
    'audit case': async () => [
      (await boss.get<AuditEntry[]>('/api/v1/admin/audit?limit=1')).json[0]?.id ?? '',
    ],
  };

  /** Expects one entry for each event that `isTheirs` selects after `before`. Returns the entries. */
  const expectLines = async (
    before: bigint,
    isTheirs: (event: RecordedEvent) => boolean,
  ): Promise<AuditEntry[]> => {
    await town.waitUntilIdle();
    const events = (await town.app.log.readAll(before, 1_000)).filter(isTheirs);
    const lines: AuditEntry[] = [];
    const { json } = await boss.get<AuditEntry[]>(`/api/v1/admin/audit?since_id=${before}&limit=200`);
    for (const event of events.filter(({ type }) => !BESIDE.has(type))) {
      // The effects of a strike on posts belong to the entry of the strike.
      const { id: own, strike_id: why } = event.data as Partial<Record<'id' | 'strike_id', string>>;
      const strike = event.type.startsWith('Status') ? why : own;
      const found = json.filter(
        ({ event_id, targets }) =>
          event_id === event.id || targets.some(({ type, id }) => type === 'strike' && id === strike),
      );
      expect(found, `${event.type}: write one entry by audited() in projections/audit/`).to.have.length(1);
      lines.push(...found);
    }
    const remedy = 'Nothing of staff was recorded (CONTRIBUTING, Adding an event: a decision of staff)';
    expect(lines, remedy).not.to.deep.equal([]);
    return lines;
  };

  const changing = endpoints
    .filter(({ method }) => method !== 'GET')
    .filter(({ permission, scopes }) => permission ?? scopes.some((scope) => scope.startsWith('admin:')))
    .map(nameOf);

  it('is checked here for every changing endpoint for staff', () => {
    const forgotten = changing.filter((name) => !(name in requests) && !READING.includes(name));
    const remedy =
      'Add a request to `requests` of this spec, or the name to READING of test/audit/reading.ts';
    expect(forgotten, remedy).to.deep.equal([]);
  });

  for (const [name, prepare] of Object.entries(requests)) {
    if (!changing.includes(name)) continue;
    it(`records ${name}`, async () => {
      const [method = '', path = ''] = name.split(' ');
      const { id = '', body } = await prepare();
      await town.waitUntilIdle();
      const before = await town.events();
      const send = boss[method.toLowerCase() as 'post' | 'put' | 'delete'];
      const { status, json } = await send(
        path.replace(/:id|:host|:position/, id).replace(':name', 'polls'),
        body,
      );
      expect(status, JSON.stringify(json)).to.equal(200);
      const lines = await expectLines(
        before,
        ({ metadata }) => metadata.actor?.account_id === boss.id && metadata.rule === undefined,
      );
      for (const { actor, application, targets } of lines) {
        expect(actor).to.deep.equal({
          kind: 'user',
          account: { id: boss.id, acct: 'boss' },
          role: 'Owner',
          name: null,
        });
        expect(application?.name).to.equal('tests');
        expect(targets).not.to.deep.equal([]);
      }
    });
  }

  it('is checked here for every changing command', async () => {
    const untried = [...verbs].filter((name) => !(name in calls) && !READING_VERBS.includes(name));
    const remedy =
      'Add a call to `calls` of this spec, or the name to READING_VERBS of test/audit/reading.ts';
    expect(untried, remedy).to.deep.equal([]);
    // The program has no other commands.
    const program = await readFile(join(CLI, 'program.ts'), 'utf8');
    const added = [...program.matchAll(/\.addCommand\((\w+)\(\)\)/g)].map(([, name]) => name);
    expect(added, 'Add each command to src/cli/program.ts').to.have.members(
      commands.map(([, , factory]) => factory),
    );
    expect(program).not.to.include('.command(');
  });

  for (const [name, prepare] of Object.entries(calls)) {
    if (!verbs.has(name)) continue;
    it(`records rookery ${name}`, async () => {
      const args = [...name.split(' '), ...(await prepare())];
      await town.waitUntilIdle();
      const before = await town.events();
      const { code, stderr } = await rookeryBeside(town.app, ...args);
      expect(code, stderr).to.equal(0);
      expect(stderr.replaceAll(/^Rebuilding: .*\n/gm, '')).to.equal('');
      const lines = await expectLines(before, ({ metadata }) => metadata.rule === OPERATOR);
      for (const { actor, application } of lines) {
        expect(actor).to.deep.equal({ kind: 'operator', account: null, role: null, name: null });
        expect(application).to.equal(null);
      }
    });
  }
});
