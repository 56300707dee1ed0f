import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithMosquitto, startMosquitto } from '@engawa/testing';
import { checkRestart } from './check-restart.ts';
import { parseOptions } from './options.ts';

describeWithMosquitto('a restart of Mosquitto', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-broker-check-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    [
      'with persistence: it forgets the shared subscription',
      true,
      { plain: 20, shared: 0, sessionPresent: true },
    ],
    ['without: it forgets everything', false, { plain: 0, shared: 0, sessionPresent: false }],
  ])('%s', async (_, persistence, expected) => {
    const settings = [
      'allow_anonymous true',
      `persistence ${String(persistence)}`,
      `persistence_location ${folder}/`,
    ];
    let broker = await startMosquitto({ settings });
    const { url, port } = broker;
    const options = parseOptions(['--url', url], {});
    if (options === 'help') throw new Error('help');
    const finding = await checkRestart(options, async () => {
      await broker.close();
      broker = await startMosquitto({ settings, port });
    });
    await broker.close();
    expect(finding).toMatchObject({ published: 20, ...expected });
  });
});
