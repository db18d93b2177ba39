/** What a command is, and what it is given. */
import type { Readable } from 'node:stream';
import { type Config, readDatabaseUrl } from '../config.ts';
import type { Store } from '../domain/store.ts';
import type { Publisher } from '../publish/publisher.ts';

/** Typed wrongly: exit status 2. */
export class UsageError extends Error {}

/** Could not be done: exit status 1. */
export class CommandError extends Error {}

/** A flag of a command; `value` names what follows it. */
export interface Flag {
  readonly help: string;
  readonly value?: string;
}

/** The flags and words that were typed. */
export interface Arguments {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** The address on which a server listens. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** Where metrics are shown; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
}

/** A server that listens, with everything that runs beside it. */
export interface RunningServer {
  readonly url: string;
  /** Where metrics are shown; null: nowhere. */
  readonly metricsUrl: string | null;
  /** Whether documents are kept current beside it. */
  readonly hasUpkeep: boolean;
  /** Answers what is in flight, then resolves. */
  stop(): Promise<void>;
}

/** The upkeep in a process of its own. */
export interface RunningUpkeep {
  /** Where metrics are shown; null: nowhere. */
  readonly metricsUrl: string | null;
  /** Ends after the slice at hand. */
  stop(): Promise<void>;
}

/** What a command line is typed into. */
export interface Terminal {
  /** Where settings come from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Whether people watch standard error. */
  readonly isTerminal: boolean;
  /** How wide the terminal is that shows standard output; null: it is a file or a pipe. */
  readonly columns: number | null;
  /** A line on standard output. */
  print(text: string): void;
  /**
   * A piece of a result that is too long to hold; resolves once it is on its way, to false when
   * nobody reads any further.
   */
  write(text: string): Promise<boolean>;
  /** Something for people to read, beside the result. */
  say(text: string): void;
  /** Writes to the terminal without a new line, for progress. */
  draw(text: string): void;
  /** Long work gives way to the server that may run beside it, also on a busy machine. */
  lowerPriority(): void;
  /** Resolves when the process is asked to shut down. */
  untilShutdown(): Promise<void>;
}

/** What a command works with; joined in `main.ts`. */
export interface Context extends Omit<Terminal, 'environment' | 'print'> {
  readonly config: Config;
  /** `--json` was given: one object on standard output, nothing else there. */
  readonly isJson: boolean;
  /** The result: as JSON when that was asked for, else as text. */
  result(json: unknown, text: string): void;
  /** Whether a store was ever made where the settings say. */
  hasStore(): Promise<boolean>;
  /** The folder of the embedded store, for what works on its files; throws with PostgreSQL. */
  embeddedFolder(): string;
  /** Opens the store; a process that serves does not wait for those that import. */
  openStore(options?: { readonly isServing: boolean }): Promise<Store>;
  makePublisher(store: Store): Publisher;
  startServer(store: Store, address: ServerAddress): Promise<RunningServer>;
  /** Keeps documents current, without serving. */
  startUpkeep(store: Store, metrics: ServerAddress['metrics']): RunningUpkeep;
  /** Serves with so many processes that share a port. */
  startWorkers(count: number, address: ServerAddress): Promise<RunningServer>;
  /** Does what the settings say that this process does for a server beside it. */
  startHelper(store: Store): { stop(): Promise<void> };
  /** Sends what accounts asked for, until the result is called. */
  startDelivery(store: Store): () => Promise<void>;
  randomBytes(count: number): Uint8Array;
}

/** A command that an operator types. */
export interface Command {
  /** The words that name it, such as `key add`. */
  readonly name: string;
  /** The words that follow, such as `EMAIL`. */
  readonly operands: string;
  readonly summary: string;
  readonly flags: Readonly<Record<string, Flag>>;
  /** Where its embedded store is when nobody says; the settings' default when it has none. */
  findFolder?(flags: Arguments['flags']): string;
  /** The secret file that it makes for itself where the settings name none. */
  findSecretFile?(dataFolder: string): string;
  run(args: Arguments, context: Context): Promise<void>;
}

/** The words of a command, exactly as many as its operands; optional ones are in brackets. */
export function takeWords(args: Arguments, names: readonly string[]): string[] {
  const missing = names[args.words.length];
  if (missing) throw new UsageError(`${missing} is missing.`);
  const extra = args.words[names.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
  return [...args.words];
}

/** A flag's text; null when it was not given. */
export function flagText(args: Arguments, name: string): string | null {
  const value = args.flags[name];
  return typeof value === 'string' ? value : null;
}

/** The address of a database that was typed after a flag. */
export function readTypedUrl(flag: string, text: string): string {
  try {
    return readDatabaseUrl(flag, text) ?? text;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A whole number within bounds; null when it was not given. */
export function flagInteger(
  args: Arguments,
  name: string,
  bounds: { readonly min: number; readonly max: number },
): number | null {
  const text = flagText(args, name);
  return text === null ? null : readInteger(text, `--${name}`, bounds);
}

/** Reads a whole number within bounds. */
export function readInteger(
  text: string,
  what: string,
  bounds: { readonly min: number; readonly max: number },
): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= bounds.min && value <= bounds.max)) {
    throw new UsageError(
      `${what} must be a whole number from ${bounds.min} to ${bounds.max}, not '${text}'.`,
    );
  }
  return value;
}
