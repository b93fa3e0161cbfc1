import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { listen } from '#interfaces/http/listen.ts';

describe('Closing the HTTP server', () => {
  it('waits for a running request, but not for connections that are kept alive', async function () {
    // Less than the five seconds that the server waits for requests that never end.
    this.timeout(4_500);
    const web = express();
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      web.get('/slow', (_req, res) => {
        answer = () => void res.send('done');
        resolve();
      });
    });
    const server = await listen(web, { bind: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (text: string) => (received += text));
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n');
    await asked;
    const [closed, ended] = [server.close(), once(socket, 'end')];
    answer?.();
    await Promise.all([closed, ended]);
    expect(received).to.match(/^HTTP\/1\.1 200 /);
    expect(received).to.contain('done');
  });
});
