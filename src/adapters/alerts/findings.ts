import { durationText, sizeText } from '#kernel/quantities.ts';
import type { AlertName } from '#mastodon/alerts.ts';
import { type DiskRoom, ENOUGH_ROOM } from '../disk.ts';

/** The state that an evaluation decides about. Seconds are those that the oldest waiting event has waited. */
export interface Facts {
  groups: readonly { group: string; seconds: number | undefined }[];
  halted: readonly { name: string; error: string }[];
  checkpoint: { seconds: number | undefined };
  /** Names damaged events. */
  damage: string | undefined;
  /** Witnessed logs that do not continue what they signed before. */
  forks: readonly { origin: string; detail: string }[];
  disk: DiskRoom | undefined;
  folder: string;
  hosts: readonly FailingHost[];
}

export interface FailingHost {
  host: string;
  queued: number;
  delivered: number;
  /** Seconds without an answer. */
  seconds: number;
  last_failure: string | null;
}

/** A cause of an alert. `subject` is empty where there can be only one. */
export interface Finding {
  name: AlertName;
  subject: string;
  detail: string;
}

/** Seconds. */
const LATE = 60;
const CHECKPOINT_LATE = 600;
const HOST_DOWN = 1_800;
/** A server is big after so many deliveries, or with so many that wait. */
const MANY_DELIVERED = 1_000;
const MANY_QUEUED = 100;

/** Decides which alerts have a cause. Pure. */
export const findings = (facts: Facts): Finding[] => [
  ...facts.groups.flatMap(({ group, seconds = 0 }): Finding[] =>
    seconds > LATE
      ? [
          {
            name: 'read_model_lag',
            subject: group,
            detail: `The oldest event waits for ${durationText(seconds)}`,
          },
        ]
      : [],
  ),
  ...facts.halted.map(({ name, error }): Finding => ({
    name: 'read_model_halted',
    subject: name,
    detail: error,
  })),
  ...checkpointFindings(facts),
  ...damageFindings(facts),
  ...facts.forks.map(({ origin, detail }): Finding => ({ name: 'log_forked', subject: origin, detail })),
  ...diskFindings(facts),
  ...facts.hosts.flatMap(hostFindings),
];

function checkpointFindings({ checkpoint: { seconds = 0 } }: Facts): Finding[] {
  if (seconds <= CHECKPOINT_LATE) return [];
  const detail = `The oldest event without a checkpoint waits for ${durationText(seconds)}`;
  return [{ name: 'checkpoint_late', subject: '', detail }];
}

const damageFindings = ({ damage }: Facts): Finding[] =>
  damage === undefined ? [] : [{ name: 'events_damaged', subject: '', detail: damage }];

function diskFindings({ disk, folder }: Facts): Finding[] {
  if (!disk || disk.free >= ENOUGH_ROOM) return [];
  const detail = `${sizeText(disk.free)} are left in ${folder}`;
  return [{ name: 'disk_nearly_full', subject: '', detail }];
}

function hostFindings({ host, queued, delivered, seconds, last_failure }: FailingHost): Finding[] {
  const isBig = delivered >= MANY_DELIVERED || queued >= MANY_QUEUED;
  if (!isBig || seconds <= HOST_DOWN) return [];
  const error = last_failure === null ? '' : `: ${last_failure}`;
  const detail = `No answer for ${durationText(seconds)}, ${queued} deliveries wait${error}`;
  return [{ name: 'deliveries_failing', subject: host, detail }];
}
