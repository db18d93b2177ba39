/** E-mails that the service sends. */

/** Where they are handed over. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Encrypted from the first byte on; otherwise as soon as the server offers it. */
  readonly isSecure: boolean;
  readonly user: string | null;
  readonly password: string | null;
  /** The sender. */
  readonly from: string;
}

/** A plain message. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: number;
}
