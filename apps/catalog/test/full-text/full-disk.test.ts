import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { declareLights, put } from './lights.ts';
import { putTexts, textOf } from './many-texts.ts';
import { startReplica, untilFound, untilLoaded } from './replica.ts';
import type { StartedTable } from '../table.ts';
import type { Replica } from './replica.ts';

/** A disk that a test can fill needs the rights to mount one. */
function mountedDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const disk = mountedDisk();
const reason = disk === undefined ? ' (skipped: mounting a disk needs root on Linux)' : '';

(disk === undefined ? describe.skip : describe)(`a full disk of a replica${reason}`, () => {
  const folder = disk ?? '';
  const filler = join(folder, 'filler');
  let started: StartedTable;
  let replica: Replica | undefined;
  beforeEach(async () => {
    started = await startTable();
  });
  afterEach(async () => {
    rmSync(filler, { force: true });
    await replica?.close();
    replica = undefined;
    await started.close();
  });
  afterAll(() => {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });

  const fill = () => {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  };
  const isFailing = (logged: readonly string[]) =>
    logged.some((line) => line.includes('index updates are failing'));

  it('leaves the index as it was, and is caught up with when there is space again', async () => {
    replica = await startReplica(started, { FULL_TEXT_FOLDER: folder });
    await untilLoaded(replica);
    await declareLights(replica);
    await put(replica, 'a', { name: 'Lamp' });
    await untilFound(replica, 'lamp', ['a']);
    fill();
    const lights = Array.from({ length: 1000 }, (_, number) => ({
      type: 'Light',
      id: `n${number}`,
      attributes: { name: textOf(number) },
    }));
    await replica.ask('/v1/entities', { method: 'POST', body: lights });
    await put(replica, 'b', { name: 'Lantern' });
    const { logged } = replica;
    await until('the full disk to be noticed', () => isFailing(logged));
    expect((await replica.search({ q: 'lamp', type: 'Light' })).items).toContainEqual(
      expect.objectContaining({ id: 'a' }),
    );
    rmSync(filler);
    await untilFound(replica, 'lantern', ['b']);
    expect((await replica.search({ q: 'n999' })).items).toMatchObject([{ id: 'n999' }]);
  });

  it('ends a build, which is made when there is space again, without a restart', async () => {
    await putTexts(started, 1000);
    fill();
    replica = await startReplica(started, { FULL_TEXT_FOLDER: folder });
    const { logged } = replica;
    await until('the full disk to be noticed', () => isFailing(logged));
    rmSync(filler);
    await untilLoaded(replica);
    expect((await replica.search({ q: 'n999' })).items).toMatchObject([{ id: 'n999' }]);
    // Space for a part of the rebuilt index only.
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 65_536));
    const failures = () => replica?.metric('engawa_full_text_polls_total', { outcome: 'failed' });
    const before = (await failures()) ?? 0;
    await replica.ask('/v1/search/rebuild', { method: 'POST' });
    await until('the rebuild to fail', async () => ((await failures()) ?? 0) > before);
    expect((await replica.search({ q: 'n999' })).items).toMatchObject([{ id: 'n999' }]);
    rmSync(filler);
    await until(
      'the rebuild to be made',
      () => logged.filter((line) => line.includes('full-text index created')).length > 1,
    );
    expect((await replica.search({ q: 'n999' })).items).toMatchObject([{ id: 'n999' }]);
  });
});
