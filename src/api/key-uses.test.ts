/** Uses of keys that no charge records. */
import { expect, test } from 'bun:test';
import { KeyUses } from './key-uses.ts';

test('are recorded about once a minute for each secret, and a failure is reported', async () => {
  const noted: string[] = [];
  const failures: unknown[] = [];
  const uses = new KeyUses(
    {
      noteKeyUse: async (keyId, { isOld, at }) => {
        noted.push(`${keyId} ${isOld ? 'old' : 'current'} ${at}`);
        if (keyId === 3) throw new Error('away');
      },
    },
    (error) => failures.push(error),
  );
  for (const at of [0, 1, 59_999, 60_000]) uses.note({ keyId: 1, isOld: true }, at);
  uses.note({ keyId: 1, isOld: false }, 60_001);
  uses.note({ keyId: 3, isOld: false }, 60_002);
  expect(noted).toEqual(['1 old 0', '1 old 60000', '1 current 60001', '3 current 60002']);
  await Promise.resolve();
  expect(failures).toHaveLength(1);
});
