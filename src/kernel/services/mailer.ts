/** One mail to one person. `kind` names what it is for (`confirmation`), in logs and file names. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  kind: string;
  /** Its link opens the account: it stands in no log. */
  secret?: true;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
}
