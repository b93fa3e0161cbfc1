/**
 * All advisory locks of the database; each number guards one thing. Servers of two versions that run side by
 * side must agree, so a number never changes its meaning. With a second key (`hashint8`, `hashtext`) there is
 * one lock per key. https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */
export const LOCKS = {
  /** Held to make the schema of the event log. */
  logSchema: 7_270_010,
  /** Held to append to the event log, until the commit, so that positions are in commit order. */
  append: 7_270_011,
  /** Held to migrate the durable tables. */
  migrations: 7_270_012,
  /** Held to make or replace read models when a process starts. */
  readModels: 7_270_013,
  /** Held by the session that runs the reactors and timers. */
  reactors: 7_270_014,
  /** Held per schema to build or remove read models of the past. */
  pastBuild: 7_270_015,
  /** Held per schema, shared, to serve read models of the past. */
  pastServed: 7_270_016,
  /** Held to make a queue of jobs. */
  jobQueue: 7_270_017,
  /** Held to build read models that replace the live ones. */
  rebuild: 7_270_018,
  /** Held to build read models that are compared with the live ones. */
  verify: 7_270_033,
  /** Held to make the account of the first owner. */
  firstOwner: 7_270_020,
  /** Held to change the contents of the cache of remote files. */
  mediaCache: 7_270_019,
  /** Held per account to begin an import. */
  imports: 7_270_031,
  /** Held to replace the master key. */
  masterKey: 7_270_032,
  /** Held per account to change its devices for encrypted messages. */
  encryptedMail: 7_270_030,
  /** Held shared by each process that uses the embedded server, in a session of its own ("rook"). */
  embeddedServer: 0x726f_6f6b,
} as const;
