import { expect } from 'chai';
import { changeSettings } from '#commands/instance/index.ts';
import { decideSettings } from '#commands/instance/settings.ts';
import { DEFAULT_SETTINGS } from '#events/instance.ts';
import { instance as projection } from '#projections/instance.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';
import { startTestServer } from '../support/server.ts';

describe('the settings of the server', () => {
  it('are open and with a preview until staff change them', async function () {
    this.timeout(60_000);
    const server = await startTestServer();
    const { app } = server;
    expect(await instanceSettings(app.db)).to.deep.equal(DEFAULT_SETTINGS);
    await changeSettings(app.systemContext('tests'), { timeline_preview: false });
    expect(await instanceSettings(app.db)).to.deep.equal({ ...DEFAULT_SETTINGS, timeline_preview: false });
    await server.close();
  });

  it('change only where they differ; the same long text keeps its date', () => {
    const text = { content: '<p>x</p>', updated_at: '2026-01-01T00:00:00.000Z' };
    const settings = { ...DEFAULT_SETTINGS, privacy_policy: text };
    const again = { privacy_policy: { ...text, updated_at: '2026-02-02T00:00:00.000Z' } };
    expect(decideSettings(settings, again)).to.deep.equal([]);
    const other = { ...again.privacy_policy, content: '<p>y</p>' };
    expect(decideSettings(settings, { privacy_policy: other, title: '' })).to.deep.equal([
      { type: 'InstanceSettingsChanged', data: { privacy_policy: other } },
    ]);
  });

  it('hold the last word on each as rows, with the rules and terms', async function () {
    this.timeout(60_000);
    const db = await openScratchDatabase();
    const rule = (rule_id: number, text: string) => ({
      type: 'RuleAdded',
      data: { rule_id, text, hint: '' },
    });
    const german = { language: 'de', text: 'Zwei', hint: 'b' };
    const rows = await project(db, projection, [
      { type: 'InstanceSettingsChanged', data: { registrations: 'approved' } },
      { type: 'InstanceSettingsChanged', data: { timeline_preview: false, contact_account_id: '7' } },
      rule(1, 'One'),
      rule(2, 'Two'),
      rule(3, 'Three'),
      { type: 'RuleEdited', data: { rule_id: 2, hint: 'b', translation: german } },
      { type: 'RuleEdited', data: { rule_id: 1, text: 'First', translation: { ...german, language: 'fr' } } },
      { type: 'RuleTranslationRemoved', data: { rule_id: 1, language: 'fr' } },
      { type: 'RuleRemoved', data: { rule_id: 3 } },
      { type: 'RulesReordered', data: { rule_ids: [2, 1] } },
      { type: 'InstanceSettingsChanged', data: { registrations: 'closed', contact_account_id: null } },
      { type: 'TermsOfServicePublished', data: { effective_date: '2026-12-01', content: '<p>x</p>' } },
    ]);
    await db.close();
    expect(rows['instance_settings']).to.deep.equal([
      {
        id: 1,
        settings: { registrations: 'closed', timeline_preview: false, contact_account_id: null },
        changes: 12,
      },
    ]);
    expect(rows['instance_rules']).to.have.deep.members([
      { id: 1, position: 2, text: 'First', hint: '', translations: {}, removed: false },
      {
        id: 2,
        position: 1,
        text: 'Two',
        hint: 'b',
        translations: { de: { text: 'Zwei', hint: 'b' } },
        removed: false,
      },
      { id: 3, position: 3, text: 'Three', hint: '', translations: {}, removed: true },
    ]);
    expect(rows['terms_of_service']).to.deep.equal([{ effective_date: '2026-12-01', content: '<p>x</p>' }]);
  });
});
