import { expect } from 'chai';
import { z } from 'zod';
import {
  createMetrics,
  type GroupState,
  type Metrics,
  metricsHandler,
  type MetricsSources,
} from '#interfaces/http/metrics.ts';
import { altered } from '#kernel/altered.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { serve, type Served } from '../support/serve.ts';

const read = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id',
  summary: 'A status',
  auth: 'optional',
  scopes: [],
  reply: z.object({}),
  handler: () => Promise.resolve({ json: {} }),
});

describe('Metrics', () => {
  let metrics: Metrics;
  let groups: GroupState[];
  let history: () => Promise<unknown>;
  let lags: MetricsSources['lags'];

  beforeEach(() => {
    groups = [];
    history = () => Promise.resolve();
    lags = async (positions) =>
      positions.map((position) => ({ positions: 100n - position, seconds: position < 100n ? 12.5 : 0 }));
    metrics = createMetrics({
      projections: () => Promise.resolve(groups),
      lags: (positions) => lags(positions),
      history: () => history(),
    });
  });

  const lines = async () => (await metrics.registry.metrics()).split('\n');

  it('count requests and their duration by route, not by path', async () => {
    for (const status of [200, 200, 404]) metrics.observe({ endpoint: read, status, seconds: 0.02 });
    await metrics.registry.metrics();
    metrics.observe({ endpoint: read, status: 200, seconds: 3 });
    const labels = 'method="GET",route="/api/v1/statuses/:id"';
    expect(await lines()).to.include.members([
      `http_requests_total{${labels},status="200"} 3`,
      `http_requests_total{${labels},status="404"} 1`,
      `http_request_duration_seconds_bucket{le="0.01",${labels}} 0`,
      `http_request_duration_seconds_bucket{le="0.025",${labels}} 3`,
      `http_request_duration_seconds_count{${labels}} 4`,
    ]);
  });

  it('count appends to the log', async () => {
    metrics.appended(2);
    metrics.appended(1);
    expect(await lines()).to.include('eventlog_appends_total 3');
  });

  it('report the position of each group of projections', async () => {
    groups = [
      { group: 'main', position: 100n, failed: false, halted: [] },
      { group: 'search', position: 93n, failed: true, halted: ['search'] },
    ];
    expect(await lines()).to.include.members([
      'projection_position{group="main"} 100',
      'projection_lag_positions{group="main"} 0',
      'projection_failed{group="main"} 0',
      'projection_lag_seconds{group="main"} 0',
      'projection_lag_positions{group="search"} 7',
      'projection_lag_seconds{group="search"} 12.5',
      'projection_failed{group="search"} 1',
      'projection_halted{projection="search"} 1',
    ]);
  });

  it('are still served when the log cannot be read', async () => {
    groups = [{ group: 'main', position: 100n, failed: false, halted: [] }];
    lags = () => Promise.reject(new Error('the log is away'));
    const text = await lines();
    expect(text).to.include('projection_position{group="main"} 100');
    expect(text.join('\n')).not.to.match(/^projection_lag_(?:positions|seconds)\{/m);
    expect(text.join('\n')).to.match(/^process_cpu_seconds_total /m);
  });

  it('omit the age of an event that cannot be read', async () => {
    groups = [{ group: 'main', position: 93n, failed: false, halted: [] }];
    lags = async () => [{ positions: 7n, seconds: undefined }];
    const text = (await lines()).join('\n');
    expect(text).to.match(/^projection_lag_positions\{group="main"\} 7$/m);
    expect(text).not.to.match(/^projection_lag_seconds\{/m);
  });

  it('report when the log contradicts its checkpoints, and omit the value when it is unknown', async () => {
    expect(await lines()).to.include('log_contradicts_checkpoint 0');
    history = () => Promise.reject(altered('The log is not what was recorded of it'));
    expect(await lines()).to.include('log_contradicts_checkpoint 1');
    history = () => Promise.reject(new Error('the database is away'));
    expect((await lines()).join('\n')).not.to.match(/^log_contradicts_checkpoint /m);
  });

  describe('at /metrics', () => {
    let served: Served | undefined;
    afterEach(async () => served?.close());

    const ask = async (allowed: string[], headers: Record<string, string> = {}) => {
      served = await serve((app) => app.get('/metrics', metricsHandler(metrics, allowed)));
      return fetch(`${served.origin}/metrics`, { headers });
    };

    it('are served to allowed addresses', async () => {
      const response = await ask(['127.0.0.0/8']);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0.0.4/);
      expect(await response.text()).to.include('process_cpu_seconds_total');
    });

    it('are not found for other addresses', async () => {
      expect((await ask(['10.0.0.0/8'])).status).to.equal(404);
    });

    it('are not found behind a proxy, which has the address of this machine', async () => {
      expect((await ask(['127.0.0.0/8'], { 'X-Forwarded-For': '127.0.0.1' })).status).to.equal(404);
      await served?.close();
      expect((await ask(['127.0.0.0/8'], { Forwarded: 'for=127.0.0.1' })).status).to.equal(404);
    });

    for (const name of ['X-Real-IP', 'Via', 'X-Forwarded-Proto', 'CF-Connecting-IP']) {
      it(`are not found behind a proxy that sends only ${name}`, async () => {
        expect((await ask(['127.0.0.0/8'], { [name]: '1.1 192.0.2.1' })).status).to.equal(404);
      });
    }
  });
});
