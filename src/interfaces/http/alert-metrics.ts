import { Gauge, type Registry } from 'prom-client';
import { ALERT_NAMES, alertMetric, type AlertName, ALERTS } from '#mastodon/alerts.ts';

/** Returns the alerts whose cause lasts. */
export type OpenAlerts = () => Promise<readonly { name: AlertName; subject: string }[]>;

/** Registers a gauge for each alert: 1 for each subject that it is raised for, and 0 where there is none. */
export function registerAlerts(registry: Registry, open: OpenAlerts): void {
  for (const name of ALERT_NAMES) {
    new Gauge({
      name: alertMetric(name),
      help: `1 while this alert is raised: ${ALERTS[name].title}`,
      labelNames: ['subject'],
      registers: [registry],
      async collect() {
        const found = await open().catch(() => undefined);
        this.reset();
        if (!found) return;
        const raised = found.filter((each) => each.name === name);
        if (raised.length === 0) this.set({ subject: '' }, 0);
        for (const { subject } of raised) this.set({ subject }, 1);
      },
    });
  }
}
