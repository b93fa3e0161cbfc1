import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startTestServer, type TestServer } from '../support/server.ts';
import { covers, documentedOperations } from './differences.ts';
import { type Recorded, runScenario } from './driver.ts';
import { operations } from './operations.ts';
import { compareRecordings, readRecording, writeRecording } from './recording.ts';
import { scenario } from './scenario/index.ts';

const RECORDING = fileURLToPath(new URL('rookery.ndjson', import.meta.url));
const SCOPES = ['read', 'write', 'follow', 'push', 'admin:read', 'admin:write'];
const SHOWN = 20;

describe('The replies to the conformance scenario', function () {
  this.timeout(300_000);
  const steps = scenario();
  let server: TestServer;
  let recorded: Recorded[];

  before(async () => {
    server = await startTestServer();
    const owner = await server.user('owner', { role: 'Owner', scopes: SCOPES });
    const alice = await server.user('alice');
    const bob = await server.user('bob', { scopes: SCOPES });
    const carol = await server.user('carol');
    const tokens = {
      owner: owner.token,
      alice: alice.token,
      bob: bob.token,
      carol: carol.token,
      application: await server.tokenFor(undefined, ['read', 'write']),
      profile: await server.tokenFor(alice.id, ['profile']),
    };
    const target = {
      base: server.url,
      domain: 'rookery.example',
      tokens,
      waitUntilIdle: () => server.waitUntilIdle(),
    };
    recorded = await runScenario(steps, target);
    if (process.env['CONFORMANCE'] === 'record') await writeRecording(RECORDING, recorded);
  });
  after(() => server.close());

  it('equal the stored recording (CONFORMANCE=record npm run conformance:check writes a new one)', async () => {
    const differences = compareRecordings(await readRecording(RECORDING), recorded);
    const shown = differences.slice(0, SHOWN).map(({ step, places }) => [step, ...places].join('\n  '));
    expect(differences.length, shown.join('\n')).to.equal(0);
  });

  it('contain no server error', () => {
    expect(recorded.filter(({ status }) => status >= 500).map(({ step }) => step)).to.deep.equal([]);
  });

  it('belong to at least 1,500 requests, which call every operation', () => {
    const called = new Set(steps.map(({ operation }) => operation));
    expect(steps.length).to.be.at.least(1_500);
    const uncalled = operations().filter(({ name }) => !called.has(name));
    expect(uncalled, 'Call it in a step of test/conformance/scenario/').to.deep.equal([]);
  });

  it('include every operation on the page of differences', async () => {
    const names = (await documentedOperations()).filter((name) => /^(?:[A-Z]+ )?\/api\//.test(name));
    expect(names).to.not.be.empty;
    expect(names.filter((name) => !steps.some(({ operation }) => covers(name, operation)))).to.deep.equal([]);
  });
});
