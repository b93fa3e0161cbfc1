import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { eraseAccount } from '#commands/accounts/index.ts';
import { OPERATOR } from '#kernel/event.ts';
import type { AdminEvent, AdminTrouble, Status } from '#mastodon/schemas/index.ts';
import { damagedEventTimer } from '#reactors/damaged-events.ts';
import { signedIn } from '../account-pages/support.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { textIn } from '../web/notices-support.ts';

describeTown('An event whose personal fields cannot be decrypted', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let alice: Person;
  let damagedId: string;
  let position: string;

  before(async function () {
    this.timeout(120_000);
    owner = await town.staff('owner', 'Owner');
    alice = await town.person('alice');
    const post = await ok(alice.post<Status>('/api/v1/statuses', { status: 'Readable' }));
    await town.waitUntilIdle();
    const [event] = await town.app.store.readStream(`status-${post.id}`);
    damagedId = String(BigInt(post.id) + 1n);
    // The id of an event is part of its encryption, so a copy under another id cannot be decrypted.
    const copy = {
      id: randomUUID(),
      type: 'StatusCreated',
      data: (event?.data ?? '').replaceAll(post.id, damagedId),
      metadata: event?.metadata ?? '',
    };
    position = String((await town.app.store.append(`status-${damagedId}`, -1, [copy])).position);
  });

  const text = (): string =>
    `Personal fields cannot be decrypted and are read as erased: ${position} StatusCreated`;
  const health = async (): Promise<unknown> =>
    (await fetch(`${town.url}/health`, { headers: { Accept: 'application/json' } })).json();

  it('halts no read model, and is shown without them', async () => {
    await town.waitUntilIdle();
    expect(await ok(alice.get<Status>(`/api/v1/statuses/${damagedId}`))).to.include({ content: '' });
    await ok(alice.post('/api/v1/statuses', { status: 'The next one' }));
    await town.waitUntilIdle();
    const models = await ok(owner.get<{ state: string }[]>('/api/v1/admin/projections'));
    expect(models.filter(({ state }) => state !== 'following')).to.deep.equal([]);
  });

  it('is a warning in /health, in rookery doctor and in rookery projections list', async () => {
    expect(await health()).to.deep.equal({ status: 'UP', warnings: ['damaged_events'] });
    const doctor = await rookeryBeside(town.app, 'doctor');
    expect(doctor.code).to.equal(0);
    expect(doctor.stdout).to.match(/^state +WARNING$/m);
    expect(doctor.stdout).to.contain(`warning: ${text()}; see: rookery log verify`);
    const list = await rookeryBeside(town.app, 'projections', 'list');
    expect(list.stdout).to.contain(`\n${text()}; see: rookery log verify\n`);
  });

  it('has a mark where the command line prints events', async () => {
    const printed = await rookeryBeside(town.app, 'log', 'show', `status-${damagedId}`);
    expect(JSON.parse(printed.stdout)).to.deep.include({ position, damaged: true });
    const type = ['--type', 'StatusCreated'];
    const { stdout } = await rookeryBeside(town.app, 'log', 'events', ...type);
    const marks = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { position: string; damaged?: boolean });
    expect(marks.filter(({ damaged }) => damaged).map((event) => event.position)).to.deep.equal([position]);
    expect(marks).to.have.length.above(1);
  });

  it('is named by rookery log verify, which exits with 1', async () => {
    expect((await rookeryBeside(town.app, 'log', 'checkpoint')).code).to.equal(0);
    const { code, stdout, stderr } = await rookeryBeside(town.app, 'log', 'verify');
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.contain(
      `but: The personal fields of the event at position ${position} (StatusCreated) cannot be decrypted`,
    );
  });

  it('raises an alert', async () => {
    const { alerts } = town.app.contextDependencies.services;
    await alerts.evaluate(new Date().toISOString(), town.app.contextDependencies.newId);
    const trouble = await ok(owner.get<AdminTrouble>('/api/v1/admin/trouble'));
    expect(trouble.alerts.map(({ name, detail }) => [name, detail])).to.deep.equal([
      ['events_damaged', text()],
    ]);
  });

  it('has a mark in the log and on the page of the health', async () => {
    const event = await ok(owner.get<AdminEvent>(`/api/v1/admin/log/${position}?personal=true`));
    expect(event.personal).to.include({ encrypted: true, erased: false, damaged: true });
    expect(event.data).to.include({ text: '', visibility: 'public' });
    const browser = await signedIn(town.server, 'owner');
    expect(textIn(await browser.open(`/admin/log/${position}`))).to.match(
      /Damaged The .* cannot be decrypted/,
    );
    expect(textIn(await browser.open('/admin/health'))).to.contain(text());
  });

  it('is in the audit log once', async () => {
    const ctx = town.app.systemContext(damagedEventTimer.name);
    const due = () => damagedEventTimer.due(town.app.db, ctx.now, []);
    const { rows } = await due();
    for (const row of rows) await damagedEventTimer.fire(ctx, row);
    for (const row of rows) await damagedEventTimer.fire(ctx, row);
    expect((await due()).rows).to.deep.equal([]);
    await town.waitUntilIdle();
    const entries = await ok(
      owner.get<{ changes: { field: string; after: unknown }[] }[]>(
        '/api/v1/admin/audit?action[]=server.event_damage_found',
      ),
    );
    expect(
      entries.map(({ changes }) => Object.fromEntries(changes.map(({ field, after }) => [field, after]))),
    ).to.deep.equal([{ position, event_type: 'StatusCreated', cause: 'fields' }]);
  });

  it('is as damaged in a rebuild', async () => {
    const { code, stdout } = await rookeryBeside(town.app, 'projections', 'verify');
    expect([code, stdout.split(':')[0]]).to.deep.equal([0, 'Identical']);
  });

  it('is no warning once its user is erased', async () => {
    await eraseAccount(town.app.systemContext(OPERATOR), alice.id, undefined);
    await town.waitUntilIdle();
    expect(await health()).to.deep.equal({ status: 'UP' });
  });
});
