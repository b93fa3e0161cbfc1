import { Counter, Gauge, type Registry } from 'prom-client';

/** The figures of the streams of this process. `kind` is the client's transport. */
export interface StreamFigures {
  /** The kind of each client. */
  clients: readonly string[];
  channels: readonly { kind: string; channel: string }[];
  /** Messages since the start, by kind. */
  sent: ReadonlyMap<string, number>;
}

/** The names of Mastodon's streaming server: https://docs.joinmastodon.org/admin/monitoring/ */
export function registerStreams(registry: Registry, figures: () => StreamFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'connected_clients',
    help: 'Clients that listen to streams',
    labelNames: ['type'],
    registers,
    collect() {
      this.reset();
      for (const type of figures().clients) this.inc({ type });
    },
  });
  new Gauge({
    name: 'connected_channels',
    help: 'Channels that clients listen to',
    labelNames: ['type', 'channel'],
    registers,
    collect() {
      this.reset();
      for (const { kind: type, channel } of figures().channels) this.inc({ type, channel });
    },
  });
  new Counter({
    name: 'messages_sent_total',
    help: 'Messages sent to streams',
    labelNames: ['type'],
    registers,
    collect() {
      this.reset();
      for (const [type, count] of figures().sent) this.inc({ type }, count);
    },
  });
}
