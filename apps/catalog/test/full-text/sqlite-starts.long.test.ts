import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteTextIndex } from '../../src/full-text/sqlite/sqlite-text-index.ts';

/** Many starts, since a race of two of them is rare. */
const rounds = 20;

it('full-text indexes of many replicas start and end concurrently', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-test-'));
  for (let round = 0; round < rounds; round++) {
    const indexes = Array.from({ length: 8 }, () => new SqliteTextIndex({ folder, maxBytes: 1e9 }));
    const started = await Promise.allSettled(
      indexes.map(async (index) => (await index.beginBuild()).activate()),
    );
    expect(started.filter(({ status }) => status === 'rejected')).toEqual([]);
    await Promise.all(indexes.map((index) => index.close()));
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('replica-'))).toEqual([]);
  rmSync(folder, { recursive: true });
});
