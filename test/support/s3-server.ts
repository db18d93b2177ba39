/** A real S3 server with one bucket, in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from 'bun';
import type { BulkTargetSettings } from '../../src/publish/bulk/bulk-export.ts';

interface Server {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

/** It has no types of its own. */
const S3rver: new (options: Readonly<Record<string, unknown>>) => Server = createRequire(
  import.meta.url,
)('s3rver');

const bucket = 'market';
const secrets = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' };

export async function startS3(prefix = '') {
  const directory = mkdtempSync(join(tmpdir(), 'brickmark-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const settings: BulkTargetSettings = { kind: 'bucket', bucket, prefix, endpoint, ...secrets };
  return {
    settings,
    client: new S3Client({ endpoint, bucket, ...secrets }),
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
