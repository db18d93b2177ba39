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
  /** Where a POST ends what it was sent for (RFC 8058), and a page does; none for others. */
  readonly unsubscribeUrl?: string | null;
}
