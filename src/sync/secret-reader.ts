/**
 * Reads secrets from where settings say they are: a variable of the environment, or a file. What
 * settings say is never repeated, since it may be the secret itself, put in the wrong place.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { redactedLengthMin, Secret } from './secret.ts';
import type { SettingsTable } from './settings-text.ts';

/** A secret is short; whatever is longer is another file. */
const bytesMax = 8192;

/** What secrets are read from. */
export interface SecretSource {
  /** Where the settings are: other files are named from there. */
  readonly path: string;
  /** A variable of the environment; null when it is not set. */
  readVariable(name: string): string | null;
  /** What is turned on can be told, but not asked, without its secrets: they are not looked at. */
  readonly withoutSecrets?: boolean;
}

/** In place of every secret that is not looked at. */
export const unreadSecret: Secret = new Secret('');

/** Reads secrets, and remembers them. */
export class SecretReader {
  readonly all: Secret[] = [];
  readonly warnings: string[] = [];
  readonly #folder: string;
  readonly #source: SecretSource;

  constructor(source: SecretSource) {
    this.#folder = dirname(source.path);
    this.#source = source;
  }

  /** Of `key`, what `key_env` or `key_file` names; throws without either. */
  required(table: SettingsTable, name: string): Secret {
    const secret = this.find(table, name);
    if (secret !== null) return secret;
    throw table.error('', `the secret '${name}' is missing: ${whereToWrite(name)}.`);
  }

  /** The same; null without either. */
  find(table: SettingsTable, name: string): Secret | null {
    const variable = table.text(`${name}_env`);
    const file = table.text(`${name}_file`);
    if (variable !== null && file !== null) {
      throw table.error(`${name}_env`, `only one of '${name}_env' and '${name}_file' can be set.`);
    }
    if (variable !== null) return this.fromVariable(table, `${name}_env`, variable);
    return file === null ? null : this.fromFile(table, `${name}_file`, file);
  }

  /** The value of a variable that a setting names. */
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

  /** The content of a file that a setting names, from the folder of the settings. */
  fromFile(table: SettingsTable, setting: string, file: string): Secret {
    if (this.#source.withoutSecrets) return unreadSecret;
    const path = resolve(this.#folder, file);
    const value = readSmall(path);
    if (value === null) {
      throw table.error(
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
    // An editor ends the last line, another does not: the secret is the same.
    const trimmed = value.trim();
    if (trimmed === '') {
      throw table.error(setting, `the ${noun} named in '${setting}' is empty or not set.`);
    }
    if (trimmed.length < redactedLengthMin) {
      throw table.error(
        setting,
        `the ${noun} named in '${setting}' has fewer than ${redactedLengthMin} characters; ` +
          'is it complete?',
      );
    }
    if (!/^[\x20-\x7e]+$/.test(trimmed)) {
      throw table.error(
        setting,
        `the ${noun} named in '${setting}' has more than one line, or characters ` +
          'other than ASCII.',
      );
    }
    const secret = new Secret(trimmed);
    this.all.push(secret);
    return secret;
  }
}

/** Where a secret is to be written instead of the settings. */
export function whereToWrite(name: string): string {
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
    // Whatever the reason is, there is nothing that can be used.
    return null;
  }
}
