import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AdminCohort, AdminDimension, AdminMeasure } from '#mastodon/schemas/index.ts';
import { tagId } from '#mastodon/tag-name.ts';
import { describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';
import { pastOf } from './past.ts';

const PATHS = ['measures', 'dimensions', 'retention'].map((name) => `/api/v1/admin/${name}`);
const PERIOD = { start_at: '2026-03-02', end_at: '2026-03-06' };
const MOMENTS = /^(?:active_users|interactions|tag_accounts|tag_uses)$/;
const dateIn = (key: string, day = ''): string =>
  MOMENTS.test(key) ? day.replace('.000', '') : day.slice(0, 10);
const DAYS = ['02', '03', '04', '05', '06'].map((day) => `2026-03-${day}T00:00:00.000Z`);
const COHORTS = DAYS.map((day) => day.replace('.000Z', '+00:00'));
const ROOKS = { tags: [{ name: 'Rooks', normal: 'rooks' }] };
/** A hashtag that staff has not reviewed and that does not trend. */
const CROWS = { tags: [{ name: 'Crows', normal: 'crows' }] };

describeTown('Figures for staff', function (town) {
  this.timeout(60_000);
  let mod: Person;
  before(async function () {
    this.timeout(120_000);
    mod = await town.staff('umpire', 'Moderator');
    const past = pastOf(town.app);
    const [ann, ben, cleo] = [
      await past.user('ann', '2026-03-02', 'ann@example.org'),
      await past.user('ben', '2026-03-02', 'ben@example.org'),
      await past.user('cleo', '2026-03-04', 'cleo@example.org'),
    ];
    // One day lies before the period, in the previous one.
    const early = await past.user('early', '2026-02-27', 'early@example.org');
    for (const [who, ...days] of [
      [early, '2026-02-27', '2026-03-02'],
      [ann, '2026-03-02', '2026-03-03'],
      [ben, '2026-03-03', '2026-03-03'],
      [cleo, '2026-03-06'],
    ] as const)
      for (const day of days) await past.active(who, day);
    const [rita, rob, otto] = [
      await past.remote('rita', 'far.example', '2026-03-02'),
      await past.remote('rob', 'far.example', '2026-03-04'),
      await past.remote('otto', 'other.example', '2026-03-04'),
    ];
    const application = { id: '1', name: 'Quoth "it" {now}', website: null };
    const quoted = '"application":{"name":"x"';
    const post = await past.post(ann, '2026-03-02', { ...ROOKS, application, spoiler_text: quoted });
    await past.post(ann, '2026-03-03', { ...ROOKS, language: 'de', application });
    await past.post(ben, '2026-03-03', { language: null });
    await past.post(ben, '2026-03-07', { language: 'fr' });
    const far = { local: false, text: null };
    const remotePost = await past.post(rita, '2026-03-03', { ...far, ...ROOKS, language: 'nl' });
    await past.post(rob, '2026-03-05', { ...far, ...CROWS, language: 'nl' });
    await past.post(rita, '2026-03-05', { ...far, ...ROOKS });
    await past.post(otto, '2026-03-05', { ...far, ...ROOKS });
    await past.favourite(ben, post, ann, '2026-03-03');
    await past.reblog(ben, post, ann, '2026-03-03');
    await past.favourite(ben, remotePost, rita, '2026-03-03');
    await past.favourite(cleo, post, ann, '2026-03-01');
    const answer = (to: string, author: string) => ({ in_reply_to_id: to, in_reply_to_account_id: author });
    await past.post(cleo, '2026-03-04', answer(post, ann));
    await past.post(ann, '2026-03-04', answer(post, ann));
    await past.follow(ann, rita, '2026-03-05');
    await past.follow(ben, rita, '2026-03-05');
    await past.follow(rob, ann, '2026-03-06');
    const [first] = [
      await past.report(ann, rita, '2026-03-03'),
      await past.report(ann, ben, '2026-03-03'),
      await past.report(ben, rob, '2026-03-07'),
    ];
    await past.resolve(first, mod.id, '2026-03-05');
    await past.review('rooks');
    await town.waitUntilIdle();
  });

  const asked = async <Reply>(what: string, body: object): Promise<Reply> => {
    const { status, json } = await mod.post<Reply>(`/api/v1/admin/${what}`, body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };

  describe('permissions and input', () => {
    it('require the scope and the permission', async () => {
      const plain = await (await town.person('plain')).withScopes('admin:read');
      for (const path of PATHS) {
        const { status, json } = await plain.post(path, { keys: ['x'], ...PERIOD });
        expect([status, json], path).to.deep.equal([403, { error: 'This action is not allowed' }]);
        await expectScope(town, mod, (client) => client.post(path, { keys: ['x'], ...PERIOD }), {
          enough: ['admin:read'],
          others: ['read', 'write', 'admin:write', 'admin:read:accounts', 'admin:read:reports'],
        });
      }
    });

    it('refuse an invalid or missing period', async () => {
      const before = await town.events();
      for (const path of PATHS) {
        for (const bad of [
          { start_at: 'yesterday' },
          { start_at: '2026-02-30' },
          { start_at: '2026-03-01x' },
          { start_at: '0001-01-01' },
          { end_at: '2026-03-01' },
          { end_at: '2030-03-01' },
          { end_at: 5 },
          { end_at: '9'.repeat(100) },
        ]) {
          const { status } = await mod.post(path, { keys: ['languages', 'new_users'], ...PERIOD, ...bad });
          expect(status, `${path} ${JSON.stringify(bad)}`).to.equal(422);
        }
      }
      for (const path of PATHS) {
        const body = { keys: ['languages', 'new_users'], start_at: 'bad', end_at: 'bad' };
        expect((await mod.post(path, body)).json, path).to.deep.equal({ error: 'Invalid date supplied' });
      }
      for (const path of [PATHS[0], PATHS[2]])
        expect((await mod.post(path ?? '', { keys: ['new_users'] })).status).to.equal(400);
      for (const [path, body, name] of [
        ['measures', {}, 'keys'],
        ['measures', { keys: '', ...PERIOD }, 'keys'],
        ['measures', { keys: ['new_users'], end_at: PERIOD.end_at }, 'start_at'],
        ['measures', { keys: ['new_users'], ...PERIOD, end_at: '' }, 'end_at'],
        ['retention', { start_at: null, end_at: '' }, 'start_at'],
        ['retention', { ...PERIOD, end_at: '' }, 'end_at'],
      ] as const) {
        const { status, json } = await mod.post(`/api/v1/admin/${path}`, body);
        const error = `param is missing or the value is empty or invalid: ${name}`;
        expect([status, json], JSON.stringify(body)).to.deep.equal([400, { error }]);
      }
      expect(await town.events()).to.equal(before);
    });

    it('refuse missing and unknown subjects', async () => {
      for (const [what, body, expected] of [
        ['measures', { keys: ['tag_uses'] }, 400],
        ['measures', { keys: ['tag_uses'], tag_uses: {} }, 400],
        ['measures', { keys: ['tag_uses'], tag_accounts: { id: tagId('rooks') } }, 400],
        ['measures', { keys: ['tag_uses'], tag_uses: { id: 'x' } }, 422],
        ['measures', { keys: ['tag_uses'], tag_uses: 'x' }, 422],
        ['measures', { keys: ['instance_accounts'], instance_accounts: { domain: 'a/b' } }, 422],
        ['measures', { keys: ['instance_accounts'], instance_accounts: { domain: 'no domain' } }, 422],
        ['dimensions', { keys: ['tag_servers'] }, 400],
        ['dimensions', { keys: ['instance_languages'], instance_languages: { domain: 'a/b' } }, 422],
        ['dimensions', { keys: ['x'.repeat(101)] }, 422],
      ] as const) {
        const { status } = await mod.post(`/api/v1/admin/${what}`, { ...PERIOD, ...body });
        expect(status, JSON.stringify(body)).to.equal(expected);
      }
    });
  });

  describe('measures', () => {
    const rooks = { id: tagId('rooks') };
    const far = { domain: 'Far.Example.' };
    for (const [key, values, total, previous, subject] of [
      ['active_users', '2 2 0 0 1', '4', '2'],
      ['new_users', '2 0 1 0 0', '3', '3'],
      ['interactions', '0 2 1 0 0', '3', '1'],
      ['opened_reports', '0 2 0 0 0', '2', '0'],
      ['resolved_reports', '0 0 0 1 0', '1', '0'],
      ['tag_uses', '1 2 0 2 0', '5', '1', rooks],
      ['tag_accounts', '1 2 0 2 0', '3', '1', rooks],
      ['tag_servers', '0 1 0 2 0', '2', '0', rooks],
      ['instance_accounts', '1 0 1 0 0', '2', undefined, far],
      ['instance_reports', '0 1 0 0 0', '1', undefined, far],
      ['instance_statuses', '0 1 0 2 0', '3', undefined, far],
      ['instance_follows', '0 0 0 2 0', '2', undefined, far],
      ['instance_followers', '0 0 0 0 1', '1', undefined, far],
    ] as const) {
      it(`count ${key}`, async () => {
        const [measure, ...more] = await asked<AdminMeasure[]>('measures', {
          keys: [key],
          ...PERIOD,
          ...(subject ? { [key]: subject } : {}),
        });
        expect(more).to.deep.equal([]);
        expect(measure).to.deep.equal({
          key,
          unit: null,
          total,
          ...(previous === undefined ? {} : { previous_total: previous }),
          data: values.split(' ').map((value, index) => ({ date: dateIn(key, DAYS[index]), value })),
        });
      });
    }

    it('are zero for unknown subjects', async () => {
      for (const [key, subject] of [
        ['tag_uses', { id: tagId('nobody') }],
        ['tag_servers', { id: '99' }],
        ['instance_accounts', { id: '99' }],
        ['instance_accounts', { domain: 'nobody.example' }],
      ] as const) {
        const [measure] = await asked<AdminMeasure[]>('measures', { keys: [key], ...PERIOD, [key]: subject });
        expect(measure?.total, key).to.equal('0');
        expect(measure?.data.map(({ value }) => value)).to.deep.equal(DAYS.map(() => '0'));
      }
    });

    it('count no stored media for remote servers', async () => {
      const key = 'instance_media_attachments';
      const body = { keys: [key], start_at: '2026-03-02', end_at: '2026-03-02', [key]: far };
      expect(await asked<AdminMeasure[]>('measures', body)).to.deep.equal([
        {
          key,
          unit: 'bytes',
          total: '0',
          human_value: '0 Bytes',
          data: [{ date: '2026-03-02', value: '0' }],
        },
      ]);
    });

    it('are returned once in the requested order, without unknown keys and by whole days', async () => {
      const measures = await asked<AdminMeasure[]>('measures', {
        keys: ['new_users', 'nonsense', 'active_users', 'new_users', 'constructor'],
        start_at: '2026-03-02T23:59:59.999Z',
        end_at: '2026-03-03 00:00',
      });
      expect(measures.map(({ key, total }) => [key, total])).to.deep.equal([
        ['new_users', '2'],
        ['active_users', '3'],
      ]);
      expect(await asked('measures', { keys: ['nonsense'], ...PERIOD })).to.deep.equal([]);
    });

    it('accept forms', async () => {
      const form = new FormData();
      form.set('start_at', '2026-03-02');
      form.set('end_at', '2026-03-06');
      form.append('keys[]', 'tag_uses');
      form.set('tag_uses[id]', rooks.id);
      const [measure] = await asked<AdminMeasure[]>('measures', form);
      expect(measure?.total).to.equal('5');
    });
  });

  describe('dimensions', () => {
    const found = async (key: string, subject?: object, more: object = {}): Promise<string[]> => {
      const body = { keys: [key], ...PERIOD, ...(subject ? { [key]: subject } : {}), ...more };
      const [dimension, ...others] = await asked<AdminDimension[]>('dimensions', body);
      expect(others).to.deep.equal([]);
      expect(dimension?.key).to.equal(key);
      return (dimension?.data ?? []).map((each) => `${each.key} ${each.human_key}: ${each.value}`);
    };
    const rooks = { id: tagId('rooks') };
    const far = { domain: 'far.example' };

    it('treat blank and malformed parameters as absent', async () => {
      for (const absent of [{ start_at: '', end_at: null }, { start_at: ['x'] }, { tag_servers: '' }])
        expect(await asked('dimensions', { keys: ['nonsense'], ...PERIOD, ...absent })).to.deep.equal([]);
      expect(await asked('dimensions', { keys: { a: { b: 1 } } })).to.deep.equal([]);
    });

    it('count local posts by language and app', async () => {
      expect(await found('languages')).to.deep.equal(['en English: 3', 'de German: 1', 'und und: 1']);
      expect(await found('languages', undefined, { limit: '1' })).to.deep.equal(['en English: 3']);
      expect(await found('sources')).to.deep.equal([
        'web Website: 3',
        'Quoth "it" {now} Quoth "it" {now}: 2',
      ]);
    });

    it('count remote posts by server, and posts with a hashtag', async () => {
      expect(await found('servers')).to.deep.equal([
        'far.example far.example: 3',
        'other.example other.example: 1',
      ]);
      expect(await found('tag_servers', rooks)).to.deep.equal([
        'far.example far.example: 2',
        'rookery.example rookery.example: 2',
        'other.example other.example: 1',
      ]);
      expect(await found('tag_languages', rooks)).to.deep.equal([
        'en English: 3',
        'de German: 1',
        'nl Dutch: 1',
      ]);
    });

    it('count hashtags that do not trend', async () => {
      const crows = { id: tagId('crows') };
      expect(await found('tag_servers', crows)).to.deep.equal(['far.example far.example: 1']);
      expect(await found('tag_languages', crows)).to.deep.equal(['nl Dutch: 1']);
      for (const key of ['tag_servers', 'tag_languages']) {
        const unknown = { keys: [key], [key]: { id: tagId('nobody') }, ...PERIOD };
        expect(
          (await mod.post<{ data: unknown[] }[]>('/api/v1/admin/dimensions', unknown)).json[0]?.data,
        ).to.deep.equal([]);
      }
    });

    it('count follows of the accounts of a server, and its languages', async () => {
      expect(await found('instance_accounts', far)).to.deep.equal(['rita rita: 2', 'rob rob: 0']);
      expect(await found('instance_languages', far)).to.deep.equal(['nl Dutch: 2', 'en English: 1']);
    });

    it('cover the last 30 days without a period', async () => {
      const [languages] = await asked<AdminDimension[]>('dimensions', { keys: ['languages'] });
      expect(languages).to.deep.equal({ key: 'languages', data: [] });
    });

    it('show disk usage and software versions', async () => {
      const media = join(town.app.config.dataDir, 'media', 'ab');
      await mkdir(media, { recursive: true });
      await writeFile(join(media, 'file'), Buffer.alloc(1_536));
      const [space, versions] = await asked<AdminDimension[]>('dimensions', {
        keys: ['space_usage', 'nonsense', 'software_versions'],
      });
      expect(space?.key).to.equal('space_usage');
      expect(space?.data.map(({ key }) => key)).to.deep.equal(['postgresql', 'media']);
      expect(space?.data[1]).to.deep.equal({
        key: 'media',
        human_key: 'Media storage',
        value: '1536',
        unit: 'bytes',
        human_value: '1.5 KB',
      });
      expect(space?.data[0]?.human_value).to.match(/^[\d.]+ (MB|GB)$/);
      expect(versions?.data.map(({ key }) => key)).to.deep.equal([
        'mastodon',
        'rookery',
        'node',
        'postgresql',
      ]);
      expect(versions?.data.find(({ key }) => key === 'node')).to.include({
        value: process.versions.node,
        human_value: process.versions.node,
      });
    });
  });

  describe('retention', () => {
    it("shows by day how many of each day's new users returned", async () => {
      const cohorts = await asked<AdminCohort[]>('retention', {
        start_at: '2026-03-02',
        end_at: '2026-03-04',
        frequency: 'fortnight',
      });
      expect(cohorts).to.deep.equal([
        {
          period: COHORTS[0],
          frequency: 'day',
          data: [
            { date: COHORTS[0], rate: 0.5, value: '1' },
            { date: COHORTS[1], rate: 1, value: '2' },
            { date: COHORTS[2], rate: 0, value: '0' },
          ],
        },
        {
          period: COHORTS[1],
          frequency: 'day',
          data: [
            { date: COHORTS[1], rate: 0, value: '0' },
            { date: COHORTS[2], rate: 0, value: '0' },
          ],
        },
        { period: COHORTS[2], frequency: 'day', data: [{ date: COHORTS[2], rate: 0, value: '0' }] },
      ]);
    });

    it('ignores the days of the period by month', async () => {
      const cohorts = await asked<AdminCohort[]>('retention', {
        start_at: '2026-02-28',
        end_at: '2026-03-01',
        frequency: 'month',
      });
      const [february, march] = ['2026-02-01T00:00:00+00:00', '2026-03-01T00:00:00+00:00'];
      expect(cohorts).to.deep.equal([
        {
          period: february,
          frequency: 'month',
          data: [
            { date: february, rate: 1, value: '1' },
            { date: march, rate: 1, value: '1' },
          ],
        },
        { period: march, frequency: 'month', data: [{ date: march, rate: 1, value: '3' }] },
      ]);
    });
  });
});
