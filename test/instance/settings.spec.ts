import { expect } from 'chai';
import { changeSettings } from '../../commands/instance/index.ts';
import { instanceSettings as projection } from '../../projections/instance-settings.ts';
import { instanceSettings } from '../../queries/instance/index.ts';
import { project, openScratchDatabase } from '../support/projection.ts';
import { startTestServer } from '../support/server.ts';

describe('the settings of the server', () => {
  it('are open and with a preview until somebody changes them', async function () {
    this.timeout(60_000);
    const server = await startTestServer();
    const { app } = server;
    expect(await instanceSettings(app.db)).to.deep.equal({ registrations: 'open', timeline_preview: true });
    await changeSettings(app.systemContext('tests'), { timeline_preview: false });
    expect(await instanceSettings(app.db)).to.deep.equal({ registrations: 'open', timeline_preview: false });
    await server.close();
  });

  it('hold the last word on each as rows', async () => {
    const db = await openScratchDatabase();
    const rows = await project(db, projection, [
      { type: 'InstanceSettingsChanged', data: { registrations: 'approved' } },
      { type: 'InstanceSettingsChanged', data: { timeline_preview: false } },
      { type: 'InstanceSettingsChanged', data: { registrations: 'closed' } },
    ]);
    await db.close();
    expect(rows['instance_settings']).to.deep.equal([
      { id: 1, registrations: 'closed', timeline_preview: false },
    ]);
  });
});
