/**
 * Conditions that the server reports to its operator. The names are those of the API, of `alert_<name>` in `/metrics`, and of the rules in
 * `ops/prometheus-alerts.yml`: never change one.
 */
export const ALERTS = {
  read_model_lag: {
    title: 'A projection is late',
    meaning: 'A group of projections has not processed an event for more than a minute.',
    remedy: 'Check whether the database or the disk is slow, and whether a rebuild is running.',
  },
  read_model_halted: {
    title: 'A projection is halted',
    meaning: 'A projection cannot process an event. Requests that need its tables are answered with 503.',
    remedy: 'Open the projection to see its error, then retry, rebuild, or skip the event.',
  },
  checkpoint_late: {
    title: 'The checkpoint is late',
    meaning: 'An event has waited for more than ten minutes to be in a signed checkpoint.',
    remedy: 'See the log of the process that runs the reactors, and run: rookery log verify.',
  },
  events_damaged: {
    title: 'Events are damaged',
    meaning: 'Personal fields of events cannot be decrypted. They are read as those of erased users.',
    remedy:
      'Run: rookery log verify. It says whether fields or keys are damaged. Restore keys from a backup.',
  },
  log_forked: {
    title: 'A witnessed log has a fork',
    meaning:
      'Another server signed a checkpoint of its log that does not continue the one that this server cosigned.',
    remedy:
      'Run: rookery witness. Ask the operator of that server, and keep the checkpoints: they are evidence.',
  },
  disk_nearly_full: {
    title: 'The disk is nearly full',
    meaning: 'Less than half a gigabyte is left where files are kept.',
    remedy: 'Make room: remove old media, builds of the past and backups, or enlarge the disk.',
  },
  deliveries_failing: {
    title: 'Deliveries to a big server fail',
    meaning:
      'A server that got a thousand deliveries, or waits for a hundred, has not answered for half an hour.',
    remedy: 'See the last error of the server. Deliveries are retried until it answers.',
  },
} as const;

export type AlertName = keyof typeof ALERTS;

export const ALERT_NAMES = Object.keys(ALERTS) as [AlertName, ...AlertName[]];

/** The name of the gauge of an alert. */
export const alertMetric = (name: AlertName): string => `alert_${name}`;
