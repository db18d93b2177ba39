/** The row of a kind of channel: everything that is particular to the kind. */

export type DeliveryChannelRow = MailedRow | PostedRow;

/** Mailed to the address of the account. */
export interface MailedRow extends AnyRow<EmailBody> {
  readonly sentBy: 'mail';
}

/** Posted to an address that its owner enters, and that is stored encrypted. */
export interface PostedRow extends AnyRow<object> {
  readonly sentBy: 'http';
  /** Several in a sentence: "webhooks, ntfy and Discord are off". */
  readonly plural: string;
  readonly address: {
    readonly example: string;
    /** Where owners find it in the service, if the example does not say it. */
    readonly whereToFind?: string;
    /** Matches the path of every such address. */
    readonly path: RegExp;
  };
  /** The request for a message, or why there is none. */
  request(message: Posted): Posted | { readonly problem: string };
  /** The status besides 410 of an address that was deleted; and what its owner reads. */
  readonly gone?: { readonly status: number; text(status: number): string };
  /** The pause that a response asks for in its body; null: none. */
  pauseMs?(response: string): number | null;
}

interface AnyRow<Body> {
  /** As a label, and before the name of a channel: "ntfy (Phone)". */
  readonly title: string;
  /** In a sentence: "email, webhook, ntfy or Discord". */
  readonly word: string;
  /** How many of them an account may have. */
  readonly max: number;
  /**
   * Channels for programs have the Webhooks pages. Their messages are signed, sent several at a
   * time, and tried until they are accepted. Channels for people are added on the page of alert
   * settings, and get messages in order, one at a time, unless they are days old.
   */
  readonly isForPrograms: boolean;
  /** The message that shows whether the channel works; messages are stored as JSON. */
  testBody(text: string, at: number): Body;
  alertBody(alerts: AlertMessage, at: number): Body;
}

/** A JSON text and the URL that it is posted to. */
export interface Posted {
  readonly address: string;
  readonly body: string;
}

export interface EmailBody {
  readonly subject: string;
  readonly text: string;
  /** The target of one-click unsubscribe (RFC 8058); null: nothing to unsubscribe from. */
  readonly unsubscribeUrl: string | null;
}

/** The alerts of a message, of which each kind takes what it can show. */
export interface AlertMessage {
  /** What happened, or the number of alerts and the first item. */
  readonly subject: string;
  /** The item, or the number of alerts. */
  readonly title: string;
  /** The page of the item, or of all alerts. */
  readonly url: string;
  /** Turns off all of these alerts; null if they are too many. */
  readonly unsubscribeUrl: string | null;
  /** As many of the alerts as fit, and a link to the rest. */
  text(style: TextStyle): string;
  /** All of the alerts, for programs. */
  records(): readonly object[];
}

/** How a kind formats text and links: as they are, and of any length, unless it says otherwise. */
export interface TextStyle {
  /**
   * Whether people other than the owner may read it, such as members of a Discord server or
   * subscribers of an ntfy topic: they must not get an unsubscribe link.
   */
  readonly isShared: boolean;
  escape?(text: string): string;
  link?(url: string): string;
  fits?(text: string): boolean;
}
