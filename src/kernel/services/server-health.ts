/** A part of the server that was looked at. */
export interface HealthFinding {
  name: string;
  state: 'ok' | 'warning' | 'broken' | 'altered';
  text: string;
}

/** Sizes are in bytes. */
export interface Machine {
  /** Null without a folder for files. */
  disk: { folder: string; free: number; total: number } | null;
  memory: { process: number; free: number; total: number };
  /** Since the start of the process that answers. */
  uptime_seconds: number;
  redis: 'unused' | 'up' | 'down';
  event_log: 'postgresql' | 'eventstoredb';
}

/** The state of the parts below this server, for those who operate it. */
export interface ServerHealth {
  /** Looks at every part, at most once in ten seconds. */
  examine(): Promise<readonly HealthFinding[]>;
  machine(): Promise<Machine>;
}
