/** Converts local dates and times to instants. */
import { parseDay, parseInstant } from '../../kernel/time.ts';
import { type DayOrder, looseDay, shownOrder } from '../runner/loose.ts';

export interface TimeForm {
  readonly timeZone: string;
  /** The order of ambiguous dates; null if unknown. */
  readonly dateOrder: DayOrder | null;
}

export class LocalTime {
  private readonly format: Intl.DateTimeFormat;

  constructor(private readonly form: TimeForm) {
    this.format = new Intl.DateTimeFormat('en', {
      timeZone: form.timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  /**
   * Parses texts such as `2026-11-15T12:00:00Z`, `2026-11-15 13:36:19` or `15/11/2026`; without a
   * time, the start of the day.
   */
  read(text: string): { readonly at: number } | { readonly reason: string } {
    const exact = parseInstant(text);
    if (exact !== null) return { at: exact };
    const match = /^(.+?)(?:(?:T|,?\s+)(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?$/.exec(
      text.trim(),
    );
    const [, dayText = '', clock = '00:00'] = match ?? [];
    const order = shownOrder(dayText) ?? this.form.dateOrder;
    if (order === null && /^\d{1,2}[/.]\d{1,2}[/.]\d{4}$/.test(dayText)) {
      return { reason: "may have the day or the month first; set 'date_order' in the mapping" };
    }
    const day = looseDay(dayText, order ?? 'day first');
    const wall = day === null ? null : parseInstant(`${day}T${clock.replace(/^\d:/, '0$&')}Z`);
    if (wall === null)
      return { reason: 'is not a date such as 2026-11-15, with or without a time' };
    return { at: this.toInstant(wall) };
  }

  /** Converts a wall-clock time, given as if it were UTC. */
  private toInstant(wall: number): number {
    if (this.form.timeZone === 'UTC') return wall;
    // The first guess may be on the other side of a daylight saving change.
    const guess = wall - this.offsetAt(wall);
    return wall - this.offsetAt(guess);
  }

  private offsetAt(at: number): number {
    const part = new Map(this.format.formatToParts(at).map(({ type, value }) => [type, value]));
    const day = `${part.get('year')}-${part.get('month')}-${part.get('day')}`;
    const clock = `${part.get('hour')}:${part.get('minute')}:${part.get('second')}`;
    const shown = parseDay(day) === null ? null : parseInstant(`${day}T${clock}Z`);
    return shown === null ? 0 : shown - Math.floor(at / 1000) * 1000;
  }
}
