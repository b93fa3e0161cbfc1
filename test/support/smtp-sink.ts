import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

/** A mail as it was received. */
export interface ReceivedMail {
  /** The name that the sender greeted with. */
  greeting: string;
  from: string;
  to: string[];
  source: string;
}

export interface SmtpSink {
  port: number;
  received: ReceivedMail[];
  /** The number of connections so far. */
  connections(): number;
  /** The number of open connections. */
  open(): number;
  close(): Promise<void>;
}

/**
 * An SMTP server on loopback that accepts and keeps every mail: the part of RFC 5321 that a sender needs.
 * `refuse` answers every recipient, or only this address, with 550; `silent` accepts connections and never
 * answers.
 */
export async function openSmtpSink(
  options: { refuse?: boolean | string; silent?: boolean } = {},
): Promise<SmtpSink> {
  const received: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    if (!options.silent) converse(socket, (mail) => received.push(mail), options.refuse ?? false);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    open: () => sockets.size,
    async close() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function converse(socket: Socket, deliver: (mail: ReceivedMail) => void, refused: boolean | string): void {
  let greeting = '';
  let mail: ReceivedMail = { greeting, from: '', to: [], source: '' };
  let readingData = false;
  let pending = '';
  const say = (line: string) => socket.write(`${line}\r\n`);
  const mailbox = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';

  const takeLine = (line: string): void => {
    if (readingData) {
      if (line !== '.') {
        mail.source += `${line.replace(/^\./, '')}\r\n`;
        return;
      }
      readingData = false;
      deliver(mail);
      mail = { greeting, from: '', to: [], source: '' };
      say('250 taken');
      return;
    }
    const command = line.slice(0, 4).toUpperCase();
    switch (command) {
      case 'EHLO':
        mail.greeting = greeting = line.slice(5);
        socket.write('250-sink\r\n250-SMTPUTF8\r\n250 8BITMIME\r\n');
        return;
      case 'MAIL':
        mail.from = mailbox(line);
        say('250 ok');
        return;
      case 'RCPT':
        if (refused === true || refused === mailbox(line)) return void say('550 no such mailbox');
        mail.to.push(mailbox(line));
        say('250 ok');
        return;
      case 'DATA':
        readingData = true;
        say('354 go on');
        return;
      case 'HELO':
      case 'RSET':
      case 'NOOP':
        say('250 ok');
        return;
      case 'QUIT':
        socket.end('221 bye\r\n');
        return;
      default:
        say('502 unknown');
    }
  };

  socket.setEncoding('utf8').on('data', (chunk: string) => {
    pending += chunk;
    const lines = pending.split('\r\n');
    pending = lines.pop() ?? '';
    lines.forEach(takeLine);
  });
  say('220 sink');
}
