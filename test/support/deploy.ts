/** Reads what is under `deploy/`, as far as tests ask about it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, commonFlags } from '../../src/cli/run.ts';

/** The project's folder. */
export const root = join(import.meta.dir, '..', '..');

/** The text of a file of the project. */
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  /** The flags that come first, such as `--from=build`. */
  readonly flags: readonly string[];
  readonly rest: string;
}

/** The instructions of a Dockerfile; throws for a line that is none. */
export function readDockerfile(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const whole = lines.join('\n').replace(/\\\n/g, ' ').split('\n');
  return whole.map((line) => {
    const [, name, flags = '', rest] = /^([A-Z]+)\s+((?:--\S+\s+)*)(.+)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) throw new Error(`No instruction: ${line}`);
    return { name, flags: flags.split(/\s+/).filter(Boolean), rest: rest.trim() };
  });
}

/** A service of the composition. */
export interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly env_file?: unknown;
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart: string;
  readonly stop_grace_period?: string;
  readonly mem_limit: string;
  readonly logging: { readonly driver: string; readonly options: unknown };
  readonly [more: string]: unknown;
}

type ServiceName = 'prepare' | 'brickmark' | 'upkeep' | 'backup' | 'database';

/** The composition, as far as tests ask about it. */
export interface Composition {
  readonly services: Readonly<Record<ServiceName, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** Reads `deploy/compose.yaml`. */
export const readComposition = () => Bun.YAML.parse(read('deploy/compose.yaml')) as Composition;

/** The settings of a systemd unit, in order. */
export function readUnit(path: string): { readonly name: string; readonly value: string }[] {
  return read(path)
    .split('\n')
    .filter((line) => !/^(#|\[|$)/.test(line))
    .map((line) => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`No setting: ${line}`);
      return { name, value };
    });
}

/** What is wrong with words that follow `brickmark`: a command or a flag that is not there. */
export function wrongWords(words: readonly string[]): string[] {
  const command = commands.find(({ name }) => words.slice(0, 2).join(' ').startsWith(name));
  if (!command) return [words.join(' ')];
  const known = Object.keys({ ...command.flags, ...commonFlags });
  return words.filter((word) => word.startsWith('--') && !known.includes(word.slice(2)));
}

/** What is wrong with the name of an image: no release named, or a registry named. */
export function wrongImage(image: string): string[] {
  const [name = '', tag = '', ...more] = image.split(':');
  const isPinned = more.length === 0 && /\d|bookworm|^local$/.test(tag) && tag !== 'latest';
  return isPinned && /^[a-z]+$/.test(name) ? [] : [image];
}
