/**
 * Reads secrets from environment variables or files named in settings. Settings are never quoted in
 * messages, since they may be misplaced secrets.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { redactedLengthMin, Secret } from './secret.ts';
import { SettingsError, type SettingsTable } from './settings-text.ts';

const bytesMax = 8192;

export interface SecretSource {
  /** The path of the settings; other paths are relative to it. */
  readonly path: string;
  /** Null if not set. */
  readVariable(name: string): string | null;
  /** Skips secrets, to list enabled sources without calling them. */
  readonly withoutSecrets?: boolean;
}

/** A secret that cannot be used, in settings that are valid: only its source is stopped. */
export class SecretError extends SettingsError {}

/** A source that is stopped because of such a secret. */
export interface KeylessSource {
  readonly name: string;
  /** For operators, without secrets. */
  readonly problem: string;
}

export const unreadSecret: Secret = new Secret('');

/** Reads secrets, and collects them for redaction, and sources without usable ones. */
export class SecretReader {
  readonly all: Secret[] = [];
  readonly keyless: KeylessSource[] = [];
  readonly warnings: string[] = [];
  readonly #folder: string;
  readonly #source: SecretSource;

  constructor(source: SecretSource) {
    this.#folder = dirname(source.path);
    this.#source = source;
  }

  /** Reads the secret `key` from `key_env` or `key_file`; throws if neither is set. */
  required(table: SettingsTable, name: string): Secret {
    const secret = this.find(table, name);
    if (secret !== null) return secret;
    throw table.error('', `the secret '${name}' is missing: ${whereToWrite(name)}.`);
  }

  /** Null if neither is set. */
  find(table: SettingsTable, name: string): Secret | null {
    const variable = table.text(`${name}_env`);
    const file = table.text(`${name}_file`);
    if (variable !== null && file !== null) {
      throw table.error(`${name}_env`, `only one of '${name}_env' and '${name}_file' can be set.`);
    }
    if (variable !== null) return this.fromVariable(table, `${name}_env`, variable);
    return file === null ? null : this.fromFile(table, `${name}_file`, file);
  }

  fromVariable(table: SettingsTable, setting: string, variable: string): Secret {
    if (!/^[A-Za-z_]\w*$/.test(variable)) {
      throw table.error(
        setting,
        `'${setting}' must be the name of an environment variable, such as "SHOP_KEY", ` +
          'not the secret itself.',
      );
    }
    if (this.#source.withoutSecrets) return unreadSecret;
    const value = this.#source.readVariable(variable) ?? '';
    return this.#checked(table, setting, { value, noun: 'environment variable' });
  }

  fromFile(table: SettingsTable, setting: string, file: string): Secret {
    if (this.#source.withoutSecrets) return unreadSecret;
    const path = resolve(this.#folder, file);
    const value = readSmall(path);
    if (value === null) {
      throw secretError(
        table,
        setting,
        `the file named in '${setting}' cannot be read, or is longer than ${bytesMax} bytes. ` +
          'Check its path and permissions.',
      );
    }
    if ((statSync(path).mode & 0o007) !== 0) {
      this.warnings.push(
        table.error(setting, `other users can read this file. Run chmod 600 on it.`).message,
      );
    }
    return this.#checked(table, setting, { value, noun: 'file' });
  }

  #checked(
    table: SettingsTable,
    setting: string,
    { value, noun }: { readonly value: string; readonly noun: string },
  ): Secret {
    // Some editors append a newline.
    const trimmed = value.trim();
    const problem = problemOf(trimmed);
    if (problem !== null) {
      throw secretError(table, setting, `the ${noun} named in '${setting}' ${problem}`);
    }
    const secret = new Secret(trimmed);
    this.all.push(secret);
    return secret;
  }
}

/** Null if it can be used. */
function problemOf(secret: string): string | null {
  if (secret === '') return 'is empty or not set. Put the secret there.';
  if (secret.length < redactedLengthMin) {
    return `has fewer than ${redactedLengthMin} characters; is it complete?`;
  }
  if (/^[\x20-\x7e]+$/.test(secret)) return null;
  return 'has more than one line, or characters other than ASCII.';
}

function secretError(table: SettingsTable, setting: string, problem: string): SecretError {
  return new SecretError(table.error(setting, problem).message);
}

/** For a secret in the settings, which is not quoted. */
export function writtenSecret(table: SettingsTable, name: string): SettingsError {
  return table.error(name, `a secret does not belong in this file: ${whereToWrite(name)}.`);
}

/** Advice on where to put a secret. */
function whereToWrite(name: string): string {
  const isMany = name === 'headers';
  const [variable, file] = isMany
    ? ['{ Authorization = "ITS_NAME" }', '{ Authorization = "/path/of/it" }']
    : ['"ITS_NAME"', '"/path/of/it"'];
  return (
    `put it into an environment variable and write ${name}_env = ${variable}, ` +
    `or into a file and write ${name}_file = ${file}`
  );
}

function readSmall(path: string): string | null {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= bytesMax ? readFileSync(path, 'utf8') : null;
  } catch {
    // Any error means that it cannot be read.
    return null;
  }
}
