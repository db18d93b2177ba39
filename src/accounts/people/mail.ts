/** Emails that the service sends. */

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Uses TLS from the start; otherwise STARTTLS if the server offers it. */
  readonly isSecure: boolean;
  readonly user: string | null;
  readonly password: string | null;
  /** The sender address. */
  readonly from: string;
}

/** A plain-text email. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: number;
  /** The target of one-click unsubscribe (RFC 8058); null or absent for none. */
  readonly unsubscribeUrl?: string | null;
}
