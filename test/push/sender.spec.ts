import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import webPush from 'web-push';
import type { PushMessage, PushOutcome } from '../../src/kernel/services/push.ts';
import { createHttpClient, type OpenHttpClient } from '../../src/net/http-client.ts';
import { secretBox } from '../../src/push/secrets.ts';
import { createPushSender } from '../../src/push/sender.ts';
import { pushReceiver, startPushService, type PushService } from '../support/push-service.ts';

/** What becomes of a message, by what the push service does with it. */
describe('a push message', function () {
  this.timeout(30_000);
  let service: PushService;
  let http: OpenHttpClient;
  const box = secretBox(randomBytes(32));
  const vapid = webPush.generateVAPIDKeys();
  const receiver = pushReceiver();
  const message: PushMessage = {
    ...{ notification_id: '1', preferred_locale: 'en', notification_type: 'mention', icon: '' },
    ...{ title: 'Hello', body: 'x' },
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
    // Neither is mended by trying again; a redirect of a POST is followed nowhere.
    ...[301, 307, 400, 401, 403, 413].map((status): [number, PushOutcome] => [status, 'refused']),
    ...[408, 429, 500, 502, 503].map((status): [number, PushOutcome] => [status, 'failed']),
  ];
  for (const [status, outcome] of OUTCOMES) {
    it(`is ${outcome} by ${status}`, async () => {
      const location = service.url('elsewhere');
      const answer = (res: ServerResponse) => void res.writeHead(status, { Location: location }).end();
      expect(await answered(`status-${status}`, answer)).to.equal(outcome);
      expect(service.received.filter(({ path }) => path === 'elsewhere')).to.deep.equal([]);
    });
  }

  it('is sent whatever the reply says beside its status', async () => {
    expect(await answered('chatty', (res) => void res.writeHead(201).end(Buffer.alloc(1_000_000)))).to.equal(
      'sent',
    );
  });

  it('fails where the service says nothing, or never ends, or hangs up', async () => {
    const dripping = new Set<NodeJS.Timeout>();
    const outcomes = await Promise.all([
      answered('silent', () => undefined),
      answered('dripping', (res) => {
        res.writeHead(201);
        dripping.add(setInterval(() => res.write('.'), 200));
      }),
      answered('hanging-up', (res) => void res.destroy()),
    ]);
    for (const timer of dripping) clearInterval(timer);
    expect(outcomes).to.deep.equal(['failed', 'failed', 'failed']);
  });

  it('goes to no address within a private network', async () => {
    expect(await send('https://10.255.255.1/hook')).to.equal('refused');
    expect(await send('https://[::1]/hook')).to.equal('refused');
  });

  it('is given up when the process ends', async () => {
    const ending = new AbortController();
    service.answers.set('ending', () => ending.abort());
    expect(await send(service.url('ending'), ending.signal)).to.equal('failed');
  });
});
