/**
 * The advisory locks of the database, all of them: each number guards one thing. Servers of two versions that run side by side
 * must agree, so a number never changes its meaning. With a second key (`hashint8`, `hashtext`) a number is as many locks as
 * there are keys. https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */
export const LOCKS = {
  /** Who makes the schema of the event log. */
  logSchema: 7_270_010,
  /** Who appends to the event log; held until the commit, so that positions are in commit order. */
  append: 7_270_011,
  /** Who migrates the durable tables. */
  migrations: 7_270_012,
  /** Who makes or replaces read models when a process starts. */
  readModels: 7_270_013,
  /** Who runs the reactors and timers; held by a session, as long as it lives. */
  reactors: 7_270_014,
  /** Of a schema: who builds or removes read models of the past. */
  pastBuild: 7_270_015,
  /** Of a schema, shared: who serves read models of the past. */
  pastServed: 7_270_016,
  /** Who makes a queue of jobs. */
  jobQueue: 7_270_017,
  /** Who builds read models to put them in the place of the live ones. */
  rebuild: 7_270_018,
  /** Who changes what the cache of files of other servers holds. */
  mediaCache: 7_270_019,
  /** Of an account: who begins an import for it. */
  imports: 7_270_031,
  /** Of an account: who changes its devices for encrypted messages. */
  encryptedMail: 7_270_030,
  /** Shared: who uses the embedded server, a session for each process ("rook"). */
  embeddedServer: 0x726f_6f6b,
} as const;
