/** The regional settings of an account. */
export interface Region {
  /** An IANA name; null: that of the browser. Alerts then use UTC. */
  readonly timeZone: string | null;
  /** The currency that pages show dollars in, such as EUR; null: dollars. */
  readonly currency: string | null;
  /** The locale of numbers and dates on pages, such as en-GB; null: that of the browser. */
  readonly locale: string | null;
}
