/** Messages for files that cannot be written. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwritableMessage } from './store-error.ts';

test('name the path, if that is why', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-writable-'));
  try {
    const readOnly = { code: 'SQLITE_READONLY' };
    expect(unwritableMessage(readOnly, folder)).toBeNull();
    const missing = join(folder, 'missing');
    expect(unwritableMessage(readOnly, missing)).toStartWith(
      `Cannot write to '${missing}' as user`,
    );
    expect(unwritableMessage({ code: 'SQLITE_FULL' }, missing)).toBeNull();
    expect(unwritableMessage(new Error('no'), missing)).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
