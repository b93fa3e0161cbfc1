/** A translation service. Both methods throw RookeryError `unavailable` when it fails. */
export interface Translator {
  /** Its name, as readers are told. */
  provider: string;
  /** Target languages by source language; `und` for a source that is not known. */
  languages(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Translates HTML. A source of null is to be detected. */
  translate(texts: readonly string[], source: string | null, target: string): Promise<Translated>;
}

export interface Translated {
  /** As many as were sent, in their order. HTML as the service gives it: not to be trusted. */
  texts: string[];
  /** The language that was given or detected. */
  source: string;
}
