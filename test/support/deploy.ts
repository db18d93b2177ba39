/** Parsers for the files in `deploy/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonFlags } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';

export const root = join(import.meta.dir, '..', '..');

export const read = (path: string) => readFileSync(join(root, path), 'utf8');

export interface Instruction {
  readonly name: string;
  /** Leading flags, such as `--from=build`. */
  readonly flags: readonly string[];
  readonly rest: string;
}

/** Throws for a line that is not an instruction. */
export function readDockerfile(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const whole = lines.join('\n').replace(/\\\n/g, ' ').split('\n');
  return whole.map((line) => {
    const [, name, flags = '', rest] = /^([A-Z]+)\s+((?:--\S+\s+)*)(.+)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) throw new Error(`No instruction: ${line}`);
    return { name, flags: flags.split(/\s+/).filter(Boolean), rest: rest.trim() };
  });
}

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

/** The parts of `deploy/compose.yaml` that are tested. */
export interface Composition {
  readonly services: Readonly<Record<ServiceName, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

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

/** Unknown commands or flags in the arguments of `brickmark`. */
export function wrongWords(words: readonly string[]): string[] {
  const command = commands.find(({ name }) => words.slice(0, 2).join(' ').startsWith(name));
  if (!command) return [words.join(' ')];
  const known = Object.keys({ ...command.flags, ...commonFlags });
  return words.filter((word) => word.startsWith('--') && !known.includes(word.slice(2)));
}

/** The image, if it has no pinned release or names a registry. */
export function wrongImage(image: string): string[] {
  const [name = '', tag = '', ...more] = image.split(':');
  const isPinned = more.length === 0 && /\d|bookworm|^local$/.test(tag) && tag !== 'latest';
  return isPinned && /^[a-z]+$/.test(name) ? [] : [image];
}
