import { expect } from 'chai';
import { differences } from './differences.ts';
import { normalised, type RecordedReply } from './normalised.ts';

const reply = (request: string, body: unknown, status = 200): RecordedReply => ({
  request,
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

describe('Recorded replies', () => {
  it('replace ids by the order of their appearance, beginning with the path', () => {
    const { request, body } = normalised(
      reply('GET /api/v1/statuses/117684619448498118', [
        { id: '117684619448498119', in_reply_to_id: '117684619448498118' },
      ]),
    );
    expect(request).to.equal('GET /api/v1/statuses/<number1>');
    expect(body).to.equal('[{"id":"<number2>","in_reply_to_id":"<number1>"}]');
  });

  it('replace times, keys, ports and names of files, but neither words nor counts', () => {
    const { body } = normalised(
      reply('GET /', {
        at: '2026-11-26T20:18:18.123Z',
        token: 'Zk3vQ0sLr-7yHh2Vb1xCqP',
        url: 'http://127.0.0.1:40123/media/41/ab/Zk3vQ0sLr_7yHh2Vb1xCqQ.png',
        text: 'a perfectly uninteresting sentence',
        count: 12345,
      }),
    );
    expect(JSON.parse(body)).to.deep.equal({
      at: '<time>',
      token: '<key1>',
      url: 'http://127.0.0.1:<port1>/media/<file1>.png',
      text: 'a perfectly uninteresting sentence',
      count: 12345,
    });
  });

  it('replace the random part of addresses and of the shown part of links', () => {
    const { body } = normalised(
      reply('GET /', {
        email: 'alice-250732@example.org',
        content: '<span class="invisible">75176254</span>',
      }),
    );
    expect(JSON.parse(body)).to.deep.equal({
      email: 'alice-<address1>@example.org',
      content: '<span class="invisible"><link1></span>',
    });
  });

  it('are equal when only ids and the order of the requests differ', () => {
    const before = [reply('GET /a/117684619448498118', { x: 1 }), reply('GET /b', { y: 2 })];
    const after = [reply('GET /b', { y: 2 }), reply('GET /a/117684619448498999', { x: 1 })];
    expect(differences(before, after)).to.deep.equal([]);
  });

  it('differ when members come in another order', () => {
    expect(differences([reply('GET /a', { x: 1, y: 2 })], [reply('GET /a', { y: 2, x: 1 })])).to.deep.equal([
      'GET /a\n  - 200 application/json {"x":1,"y":2} (and 0 more)\n  + 200 application/json {"y":2,"x":1} (and 0 more)',
    ]);
  });

  it('differ when a status changes or a run lacks a request', () => {
    const before = [reply('GET /a', {}, 404), reply('GET /old', {})];
    const after = [reply('GET /a', {}, 403), reply('GET /new', {})];
    expect(differences(before, after)).to.deep.equal([
      'GET /a\n  - 404 application/json {} (and 0 more)\n  + 403 application/json {} (and 0 more)',
      'GET /new\n  - (none)\n  + 200 application/json {} (and 0 more)',
      'GET /old\n  - 200 application/json {} (and 0 more)\n  + (none)',
    ]);
  });
});
