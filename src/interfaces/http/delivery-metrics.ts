import { Counter, Gauge, type Registry } from 'prom-client';

/** The figures of deliveries to other servers. */
export interface DeliveryFigures {
  /** Attempts of this process since its start, by outcome. */
  tries: Readonly<Record<string, number>>;
  /** Called at each scrape. A failure leaves these figures out. */
  waiting: () => Promise<{ queued: number; hosts_down: number }>;
}

export function registerDeliveries(registry: Registry, { tries, waiting }: DeliveryFigures): void {
  const registers = [registry];
  new Counter({
    name: 'federation_deliveries_total',
    help: 'Tries to deliver an activity to an inbox',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(tries)) this.inc({ outcome }, count);
    },
  });
  let asked: ReturnType<DeliveryFigures['waiting']> | undefined;
  /** Both gauges of a scrape call at once, and share one answer. */
  const ask = (): NonNullable<typeof asked> => (asked ??= waiting().finally(() => (asked = undefined)));
  const gauge = (name: string, help: string, figure: 'queued' | 'hosts_down') =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const figures = await ask().catch(() => undefined);
        if (figures) this.set(figures[figure]);
        else this.reset();
      },
    });
  gauge('federation_deliveries_queued', 'Deliveries that wait or are on their way', 'queued');
  gauge('federation_hosts_down', 'Servers whose last reply failed or never came', 'hosts_down');
}
