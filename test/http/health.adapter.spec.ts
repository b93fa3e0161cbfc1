import { expect } from 'chai';
import { type HealthCheck, healthHandler, healthHandlers } from '#interfaces/http/health.ts';
import { serve, type Served } from '../support/serve.ts';

const well: HealthCheck = () => Promise.resolve();
const broken: HealthCheck = () => Promise.reject(new Error('secret details'));
const stuck: HealthCheck = () => new Promise(() => undefined);

const JSON_WANTED = { headers: { accept: 'application/json' } };

describe('The health endpoint', () => {
  let served: Served | undefined;
  afterEach(async () => served?.close());

  const ask = async (checks: Record<string, HealthCheck>) => {
    served = await serve((app) => app.get('/health', healthHandler({ checks, deadline: 50 })));
    const response = await fetch(`${served.origin}/health`, JSON_WANTED);
    return { status: response.status, body: await response.json() };
  };

  it('is UP when every part is up', async () => {
    expect(await ask({ database: well, log: well })).to.deep.equal({ status: 200, body: { status: 'UP' } });
  });

  it('is at /readyz as at /health, and alive at /livez whatever is down', async () => {
    served = await serve((app) => {
      const handlers = healthHandlers({ checks: { database: broken, projections: stuck }, deadline: 50 });
      for (const [path, handler] of Object.entries(handlers)) app.get(path, handler);
    });
    const statuses: Record<string, number> = {};
    for (const path of ['/health', '/readyz', '/livez']) {
      statuses[path] = (await fetch(`${served.origin}${path}`)).status;
    }
    expect(statuses).to.deep.equal({ '/health': 503, '/readyz': 503, '/livez': 200 });
  });

  it('answers OK as text to clients that do not ask for JSON', async () => {
    served = await serve((app) => app.get('/health', healthHandler({ checks: { database: well } })));
    for (const accept of ['*/*', 'text/html,*/*;q=0.8']) {
      const response = await fetch(`${served.origin}/health`, { headers: { accept } });
      expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect(await response.text()).to.equal('OK');
    }
  });

  it('names the parts that are down in JSON to every client', async () => {
    served = await serve((app) => app.get('/health', healthHandler({ checks: { database: broken } })));
    const response = await fetch(`${served.origin}/health`);
    expect(response.status).to.equal(503);
    expect(await response.json()).to.deep.equal({ status: 'DOWN', failing: ['database'] });
  });

  it('names the parts that are down, without details', async () => {
    expect(await ask({ database: broken, log: well, projections: broken })).to.deep.equal({
      status: 503,
      body: { status: 'DOWN', failing: ['database', 'projections'] },
    });
  });

  it('names parts that need the operator, and stays UP', async () => {
    served = await serve((app) =>
      app.get(
        '/health',
        healthHandler({ checks: { database: well }, warnings: { reactors: broken, mail: well } }),
      ),
    );
    const response = await fetch(`${served.origin}/health`, JSON_WANTED);
    expect(response.status).to.equal(200);
    expect(await response.json()).to.deep.equal({ status: 'UP', warnings: ['reactors'] });
  });

  it('does not wait for a part that does not respond', async () => {
    expect((await ask({ database: well, log: stuck })).body).to.deep.equal({
      status: 'DOWN',
      failing: ['log'],
    });
  });

  it('treats a check that throws as down', async () => {
    const throwing = (): Promise<void> => {
      throw new Error('at once');
    };
    expect((await ask({ database: throwing })).status).to.equal(503);
  });

  it('names a failing dependency instead of the part that depends on it', async () => {
    const needs = { history: ['log'] };
    const ask = async (checks: Record<string, HealthCheck>): Promise<unknown> => {
      served = await serve((app) => app.get('/health', healthHandler({ checks, needs })));
      const answer: unknown = await (await fetch(`${served.origin}/health`, JSON_WANTED)).json();
      await served.close();
      served = undefined;
      return answer;
    };
    expect(await ask({ log: broken, history: broken })).to.deep.equal({ status: 'DOWN', failing: ['log'] });
    expect(await ask({ log: well, history: broken })).to.deep.equal({ status: 'DOWN', failing: ['history'] });
  });

  it('runs a check once for simultaneous requests, and again for later ones', async () => {
    let asked = 0;
    let finish = (): void => undefined;
    const check = (): Promise<void> => {
      asked += 1;
      return new Promise((resolve) => (finish = resolve));
    };
    served = await serve((app) => app.get('/health', healthHandler({ checks: { database: check } })));
    const arrived = new Promise<void>((resolve) => {
      let count = 0;
      served?.server.on('request', () => {
        count += 1;
        if (count === 5) setImmediate(resolve);
      });
    });
    const requests = Array.from({ length: 5 }, () => fetch(`${served?.origin}/health`, JSON_WANTED));
    await arrived;
    finish();
    await Promise.all(requests);
    expect(asked).to.equal(1);
    const later = fetch(`${served.origin}/health`, JSON_WANTED);
    await new Promise((resolve) => served?.server.once('request', () => setImmediate(resolve)));
    finish();
    expect((await later).status).to.equal(200);
    expect(asked).to.equal(2);
  });
});
