/** Read models as they were at a position of the log. */
export interface PastBuild {
  position: string;
  /** ISO 8601; null until the build is finished. */
  moment: string | null;
  state: 'ready' | 'building' | 'unfinished' | 'outdated' | 'erased';
  /** A process serves it now. */
  served: boolean;
  bytes: number;
  /** The part that is done, from 0 to 1; null unless this process builds it. */
  progress: number | null;
}

/** The builds of the past beside the live read models, for those who operate this server. */
export interface PastBuilds {
  list(): Promise<PastBuild[]>;
  /**
   * Begins a build, which goes on in the background. @returns its position, and whether it is new
   * @throws RookeryError `invalid` for text that is no point of the past, `not_found` where the log has none, `conflict`
   * while this process builds another one
   */
  begin(when: string): Promise<{ position: string; isNew: boolean }>;
  /** @throws RookeryError `not_found`, or `conflict` while the build is in progress or served */
  drop(position: string): Promise<void>;
}
