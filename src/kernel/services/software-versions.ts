/** The software under this server, besides the database: for staff. */
export interface SoftwareVersions {
  usage(): Promise<{ key: string; human_key: string; bytes: number }[]>;
  versions(): Promise<{ key: string; human_key: string; version: string }[]>;
}
