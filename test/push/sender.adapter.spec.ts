import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import webPush from 'web-push';
import { createHttpClient, type OpenHttpClient } from '#adapters/outbound-http/http-client.ts';
import { secretBox } from '#adapters/push/secrets.ts';
import { createPushSender } from '#adapters/push/sender.ts';
import { MasterKey } from '#kernel/master-key.ts';
import type { PushMessage, PushOutcome, PushSender } from '#kernel/services/push.ts';
import { pushReceiver, type PushService, startPushService } from '../support/push-service.ts';

/** The outcome of a message, by the reply of the push service. */
describe('A push message', function () {
  this.timeout(30_000);
  let service: PushService;
  let http: OpenHttpClient;
  const box = secretBox(new MasterKey(randomBytes(32)));
  const vapid = webPush.generateVAPIDKeys();
  const receiver = pushReceiver();
  const message: PushMessage = {
    notification_id: '1',
    preferred_locale: 'en',
    notification_type: 'mention',
    icon: '',
    title: 'Hello',
    body: 'x',
  };

  before(async () => {
    service = await startPushService();
    http = createHttpClient({ allowedPrivateAddresses: ['127.0.0.1'], userAgent: 'spec' });
  });
  after(async () => {
    await http.close();
    await service.close();
  });

  const send = (endpoint: string, signal = new AbortController().signal): Promise<PushOutcome> =>
    createPushSender({ http, box, vapid, subject: 'https://rookery.example' }).send(
      {
        endpoint,
        p256dh: receiver.keys.p256dh,
        secrets: box.seal({ auth: receiver.keys.auth, bearer: null }),
        standard: true,
      },
      message,
      signal,
    );
  const answered = (name: string, answer: number | ((res: ServerResponse) => void)) => {
    service.answers.set(name, answer);
    return send(service.url(name));
  };

  const OUTCOMES: readonly [number, PushOutcome][] = [
    ...[200, 201, 202, 204].map((status): [number, PushOutcome] => [status, 'sent']),
    ...[404, 410].map((status): [number, PushOutcome] => [status, 'gone']),
    // A retry helps neither of them. A redirect of a POST is never followed.
    ...[301, 307, 400, 401, 403, 413].map((status): [number, PushOutcome] => [status, 'refused']),
    ...[408, 429, 500, 502, 503].map((status): [number, PushOutcome] => [status, 'failed']),
  ];
  for (const [status, outcome] of OUTCOMES) {
    it(`is ${outcome} after status ${status}`, async () => {
      const location = service.url('elsewhere');
      const answer = (res: ServerResponse) => void res.writeHead(status, { Location: location }).end();
      expect(await answered(`status-${status}`, answer)).to.equal(outcome);
      expect(service.received.filter(({ path }) => path === 'elsewhere')).to.deep.equal([]);
    });
  }

  it('is sent whatever the body of the reply says', async () => {
    expect(await answered('chatty', (res) => void res.writeHead(201).end(Buffer.alloc(1_000_000)))).to.equal(
      'sent',
    );
  });

  it('fails when the service does not respond, or hangs up', async () => {
    const outcomes = await Promise.all([
      answered('silent', () => undefined),
      answered('hanging-up', (res) => void res.destroy()),
    ]);
    expect(outcomes).to.deep.equal(['failed', 'failed']);
  });

  it('is sent when the reply never ends, because its status has come', async () => {
    const closed = Promise.withResolvers<undefined>();
    const outcome = await answered('dripping', (res) => {
      res.writeHead(201);
      const dripping = setInterval(() => res.write('.'), 200);
      res.once('close', () => {
        clearInterval(dripping);
        closed.resolve(undefined);
      });
    });
    expect(outcome).to.equal('sent');
    await closed.promise;
  });

  it('is not sent to an address within a private network', async () => {
    expect(await send('https://10.255.255.1/hook')).to.equal('refused');
    expect(await send('https://[::1]/hook')).to.equal('refused');
  });

  it('is abandoned when the process ends', async () => {
    const ending = new AbortController();
    service.answers.set('ending', () => ending.abort());
    expect(await send(service.url('ending'), ending.signal)).to.equal('failed');
  });

  describe('to a service that is down', () => {
    let clock: number;
    const NOON = Date.parse('2026-11-23T12:00:00.000Z');
    beforeEach(() => {
      clock = NOON;
    });
    const sender = () =>
      createPushSender({ http, box, vapid, subject: 'https://rookery.example', now: () => clock });
    const targetOf = (endpoint: string) => ({
      endpoint,
      p256dh: receiver.keys.p256dh,
      secrets: box.seal({ auth: receiver.keys.auth, bearer: null }),
      standard: true,
    });
    const trying = (by: PushSender) => {
      const signal = new AbortController().signal;
      return (name: string) => by.send(targetOf(service.url(name)), message, signal);
    };
    const requests = (name: string): number => service.received.filter(({ path }) => path === name).length;
    const saying = (status: number, retryAfter: string) => (res: ServerResponse) =>
      void res.writeHead(status, { 'Retry-After': retryAfter }).end();

    it('waits as long as it requests, in seconds or by a date, at most an hour', async () => {
      for (const [asks, waits] of [
        ['120', 120_000],
        ['Mon, 23 Nov 2026 12:05:00 GMT', 300_000],
        ['86400', 3_600_000],
      ] as const) {
        clock = NOON;
        const push = sender();
        const attempt = trying(push);
        const [busy, other] = [`busy-${waits}`, `other-${waits}`];
        service.answers.set(busy, saying(503, asks));
        expect(await attempt(busy)).to.equal('away');
        expect(push.pause(service.url(other)), 'the whole host').to.equal(waits);
        expect(await attempt(other)).to.equal('away');
        expect(requests(other)).to.equal(0);
        clock += waits;
        expect(await attempt(other)).to.equal('sent');
        expect(push.pause(service.url(busy))).to.equal(0);
      }
    });

    it('waits for the one subscription with too many messages', async () => {
      const push = sender();
      const attempt = trying(push);
      service.answers.set('much', saying(429, '60'));
      expect(await attempt('much')).to.equal('away');
      expect(await attempt('much')).to.equal('away');
      expect(requests('much')).to.equal(1);
      expect(await attempt('little')).to.equal('sent');
      service.answers.delete('much');
      clock += 60_000;
      expect(await attempt('much')).to.equal('sent');
    });

    it('ignores invalid headers, and a single failure', async () => {
      const attempt = trying(sender());
      for (const [index, asks] of ['-5', 'soon', '', '0', 'Mon, 23 Nov 2020 12:05:00 GMT'].entries()) {
        service.answers.set(`odd-${index}`, saying(503, asks));
        expect(await attempt(`odd-${index}`)).to.equal('failed');
        expect(await attempt('fine')).to.equal('sent');
      }
    });

    it('is tried once after a pause, while the others wait, at growing intervals', async () => {
      const push = sender();
      const attempt = trying(push);
      const hangUp = (res: ServerResponse) => void res.destroy();
      for (const name of ['down-1', 'down-2', 'down-3']) service.answers.set(name, hangUp);
      expect(await attempt('down-1')).to.equal('failed');
      expect(await attempt('down-2')).to.equal('failed');
      expect(await attempt('down-3')).to.equal('away');
      for (let other = 0; other < 50; other += 1) expect(await attempt('waiting')).to.equal('away');
      expect(requests('waiting')).to.equal(0);
      const first = push.pause(service.url('waiting'));
      clock += first;
      const [tried, waiting] = await Promise.all([attempt('down-1'), attempt('waiting')]);
      expect([tried, waiting]).to.deep.equal(['away', 'away']);
      expect([requests('down-1'), requests('waiting')]).to.deep.equal([2, 0]);
      expect(push.pause(service.url('waiting'))).to.equal(2 * first);
      clock += 2 * first;
      expect(await attempt('waiting')).to.equal('sent');
      expect(await attempt('down-1'), 'as if nothing had been').to.equal('failed');
    });

    it('counts concurrent failures as one outage', async () => {
      const push = sender();
      const attempt = trying(push);
      service.answers.set('many', (res) => void res.writeHead(502).end());
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => attempt('many')));
      expect(outcomes.filter((outcome) => outcome === 'failed')).to.have.length(2);
      const once = push.pause(service.url('many'));
      const other = sender();
      for (let time = 0; time < 3; time += 1) await trying(other)('many');
      expect(other.pause(service.url('many'))).to.equal(once);
    });
  });
});
