/** Databases on a running PostgreSQL, one per folder that a test opens a store in. */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { SQL } from 'bun';
import { openClient } from '../../src/store/postgres/client.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { partitionScript } from './partitions.ts';

/** BRICKMARK_TEST_PARTITIONED=1 runs suites with a partition per month of sales. */
const isPartitioned = process.env.BRICKMARK_TEST_PARTITIONED === '1';

/** Creates databases, and drops those with a folder that no longer exists. */
export class PostgresDatabases {
  private readonly admin: SQL;
  private readonly template = `template_${process.pid}_${Bun.nanoseconds()}`;
  private prepared: Promise<void> | null = null;
  private readonly made = new Map<string, Promise<string>>();
  private readonly kept: string[] = [];

  /** `url` is the server's, for a user that may create databases. */
  constructor(private readonly url: string) {
    this.admin = new SQL({ url, max: 1 });
  }

  /** The URL of the folder's database, created on first use. */
  of(folder: string): Promise<string> {
    const known = this.made.get(folder);
    if (known) return known;
    const made = this.make(folder);
    this.made.set(folder, made);
    return made;
  }

  /** Drops all remaining databases. */
  async close(): Promise<void> {
    for (const folder of [...this.made.keys()]) await this.drop(folder);
    const templates = this.prepared ? [...this.kept, this.template] : this.kept;
    for (const name of templates) await this.admin.unsafe(`DROP DATABASE ${name}`);
    await this.admin.close();
  }

  /**
   * Keeps the database of a folder as a template, even after the folder is removed. The result
   * creates a copy for another folder. There must be no connections to it.
   */
  keep(folder: string): (to: string) => Promise<string> {
    const template = nameOf(folder);
    this.made.delete(folder);
    this.kept.push(template);
    return (to) => {
      const made = this.make(to, template);
      this.made.set(to, made);
      return made;
    };
  }

  private async make(folder: string, template = this.template): Promise<string> {
    this.prepared ??= this.prepare();
    await this.prepared;
    for (const old of this.made.keys())
      if (old !== folder && !existsSync(old)) await this.drop(old);
    const name = nameOf(folder);
    const from = `TEMPLATE ${template} STRATEGY file_copy`;
    await this.admin.unsafe(`CREATE DATABASE ${name} ${from}`);
    return this.address(name);
  }

  /** Copying a template is faster than running the migrations each time. */
  private async prepare(): Promise<void> {
    await this.admin.unsafe(`CREATE DATABASE ${this.template}`);
    const options = { max: 1, statementMs: 0, name: 'template' };
    const client = openClient(this.address(this.template), options);
    await migrate(client);
    if (isPartitioned) await client.script(partitionScript);
    await client.close();
  }

  private async drop(folder: string): Promise<void> {
    this.made.delete(folder);
    await this.admin.unsafe(`DROP DATABASE IF EXISTS ${nameOf(folder)} WITH (FORCE)`);
  }

  private address(name: string): string {
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    return url.href;
  }
}

function nameOf(folder: string): string {
  const letters = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_');
  return `t_${letters}_${Bun.hash(folder).toString(36)}`;
}
