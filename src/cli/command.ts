/** Operator commands: their rows, and the context in which they run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type AuditActor, onMachine } from '../accounts/audit/audit.ts';
import type { Role } from '../accounts/people/role.ts';
import { type Config, readDatabaseUrl } from '../config.ts';
import type { Publisher } from '../publish/publisher.work.ts';
import type { Migrating } from '../store/sql/schema-version.ts';
import { stagingName } from '../store/sqlite/pending-restore.ts';
import type { Store } from '../store/store.ts';
import {
  type Arguments,
  type CommandSummary,
  type Flags,
  type Input,
  type Nothing,
  type Operands,
  readInput,
  UsageError,
} from './row.ts';

/** Exit status 1; the message says why, and what to do. */
export class CommandError extends Error {}

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** Null: no metrics. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
}

/** A server, with its helper processes for pages and answers. */
export interface RunningServer extends RunningUpkeep {
  readonly url: string;
  /** Resolves once the first page is as fast as the next; absent if it has several processes. */
  readonly warmed?: Promise<void>;
  /** Whether it keeps published data current. */
  readonly hasUpkeep: boolean;
}

export interface RunningUpkeep {
  readonly metricsUrl: string | null;
  /** Reads fees and postage again; keeps the old ones, and throws, if a file is invalid. */
  reload(): Promise<void>;
  /** Resolves after open requests, or the current batch. */
  stop(): Promise<void>;
}

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal on standard output; null for a file or a pipe. */
  readonly columns: number | null;
  /** Writes a line to standard output. */
  print(text: string): void;
  /** Writes a part of a long result; resolves to false if the reader has closed the pipe. */
  write(text: string): Promise<boolean>;
  /** Writes a line to standard error. */
  say(text: string): void;
  /** Writes to standard error without a line break, for progress. */
  draw(text: string): void;
  /** For long work, so that a server on the same machine has priority. */
  lowerPriority(): void;
  /** Resolves on SIGTERM or SIGINT. */
  untilShutdown(): Promise<void>;
  /** Calls `reload` on SIGHUP, and when the process that started this one asks. */
  onReload(reload: () => void): void;
}

export interface OpenOptions extends Migrating {
  readonly isServing?: boolean;
}

/** Who runs a command: the operator on this machine, or an account with a role. */
export interface CommandOperator {
  readonly role: Role;
  /** The name in the audit log. */
  readonly by: AuditActor;
}

export const onThisMachine: CommandOperator = { role: 'admin', by: onMachine };

/** Created in `main.ts`. */
export interface Context extends Omit<Terminal, 'environment' | 'print'> {
  readonly config: Config;
  readonly operator: CommandOperator;
  readonly isJson: boolean;
  withSecretFile(path: string): Context;
  /** Prints the result: JSON with `--json`, else text. */
  result(json: unknown, text: string): void;
  hasStore(): Promise<boolean>;
  /** Throws with PostgreSQL. */
  embeddedFolder(): string;
  /** A serving process does not wait for locks of importing ones. */
  openStore(options?: OpenOptions): Promise<Store>;
  makePublisher(store: Store): Publisher;
  startServer(store: Store, address: ServerAddress): Promise<RunningServer>;
  /** Keeps published data current, without serving. */
  startUpkeep(store: Store, metrics: ServerAddress['metrics']): RunningUpkeep;
  startWorkers(count: number, address: ServerAddress): Promise<RunningServer>;
  /** Does the work of this helper process, by BRICKMARK_HELPER. */
  startHelper(store: Store): Promise<HelperWork>;
  /** Sends webhooks and alerts; returns a function that stops it. */
  startDelivery(store: Store): () => Promise<void>;
  randomBytes(count: number): Uint8Array;
  readonly helpers: HelperControl;
}

export type StoreContext = Context & { readonly store: Store };

/** Helper processes of this process; see `processes/helpers.ts`. */
export interface HelperControl {
  startDelivery(served: Served): void;
  startSync(): void;
  reload(): Promise<void>;
  stopWork(): Promise<void>;
  stop(): Promise<void>;
}

export interface Served {
  /** Address of the server, for links unless BRICKMARK_BASE_URL is set. */
  readonly url: string;
  /** Tells whether there is something to send; null: sending starts at once. */
  readonly queue: Pick<Store['accounts'], 'isDeliveryWanted'> | null;
}

export interface HelperWork {
  /** Whether requests wait for it, so that it warms up while it answers them. */
  readonly isRestarted: boolean;
  /** Does what would delay the first requests; resolves when it is done. */
  warm(): Promise<void>;
  stop(): Promise<void>;
}

/** Required before a command runs; a `CommandError` if it is missing. */
interface Needed {
  nothing: Context;
  /** Like an existing store, for commands that only read: its schema is not changed. */
  'store to read': StoreContext;
  /** Opened for the run; a command that needs one never creates a store. */
  'existing store': StoreContext;
  'embedded store': Context & { readonly folder: string };
}

/** An operator command with its types erased, for parsing, help and completion. */
export interface Command extends CommandSummary {
  /** The data folder if neither a flag nor a setting names one. */
  findFolder?(flags: Arguments['flags']): string;
  findSecretFile?(dataFolder: string): string;
  run(typed: Arguments, context: Context): Promise<void>;
}

/** A command whose `run` gets values of the types that its operands and flags declare. */
interface CommandRow<O extends Operands, F extends Flags, Need extends keyof Needed>
  extends Omit<Command, 'operands' | 'flags' | 'run'> {
  readonly operands?: O;
  readonly flags?: F;
  readonly needs?: Need;
  /** Rules between values; throws a `UsageError` before anything is opened. */
  check?(input: Input<O, F>, context: Context): void;
  run(input: Input<O, F>, context: Needed[Need]): Promise<void>;
}

export function command<
  const O extends Operands = Nothing,
  const F extends Flags = Nothing,
  const Need extends keyof Needed = 'nothing',
>(row: CommandRow<O, F, Need>): Command {
  const { operands = {} as O, flags = {} as F, needs = 'nothing', check, run, ...rest } = row;
  return {
    ...rest,
    operands,
    flags,
    run: async (typed, context) => {
      const input = readInput({ operands, flags }, typed, context.config.clock());
      check?.(input, context);
      if (needs === 'existing store' || needs === 'store to read') {
        return withExistingStore(
          context,
          (store) => run(input, { ...context, store } as Needed[Need]),
          { onlyReads: needs === 'store to read' },
        );
      }
      const folder = needs === 'embedded store' ? context.embeddedFolder() : null;
      await run(input, { ...context, folder } as Needed[Need]);
    },
  };
}

export const commonFlags = {
  json: { help: 'Print one JSON object to standard output' },
  data: { help: 'Data folder of the embedded store', value: 'DIR' },
  database: {
    help: 'Use PostgreSQL instead of the embedded store',
    value: 'URL',
    read: readTypedUrl,
  },
  help: { help: 'Show help for this command' },
} as const satisfies Flags;

export function readTypedUrl(text: string, { name }: { readonly name: string }): string {
  try {
    return readDatabaseUrl(name, text) ?? text;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Runs `work` on the store, which is created if there is none, and closes it. */
export async function withStore<T>(
  context: Context,
  work: (store: Store) => Promise<T>,
  options?: OpenOptions,
): Promise<T> {
  const store = await context.openStore(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Runs `work`, which serves until the process ends. */
export function withServedStore(
  context: Context,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  return withStore(context, work, { isServing: true });
}

/** Runs `work` on a copy of the store, which is discarded. */
export async function rehearse<T>(store: Store, work: (copy: Store) => Promise<T>): Promise<T> {
  const copy = await store.rehearsal();
  try {
    return await work(copy);
  } finally {
    await copy.close();
  }
}

/** Like `withStore`, but never creates a store: the folder may be mistyped. */
export async function withExistingStore<T>(
  context: Context,
  work: (store: Store) => Promise<T>,
  options?: OpenOptions,
): Promise<T> {
  if (!(await context.hasStore())) {
    const { databaseUrl, dataFolder } = context.config;
    const [database, settings] =
      databaseUrl === null
        ? [`'${dataFolder}'`, '--data or BRICKMARK_DATA']
        : ['the database', '--database or BRICKMARK_DATABASE_URL'];
    const wasKilled = databaseUrl === null && existsSync(join(dataFolder, stagingName));
    throw new CommandError(
      wasKilled
        ? `No store in ${database}: a restore was interrupted. Run it again, or delete the folder.`
        : `No store in ${database}. Check ${settings}, or run 'brickmark import' to create one.`,
    );
  }
  return withStore(context, work, options);
}
