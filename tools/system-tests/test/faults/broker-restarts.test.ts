import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithMosquitto, startMosquitto } from '@engawa/testing';
import { faultTests } from './scene.ts';
import type { Scene, SceneOptions } from './scene.ts';

describeWithMosquitto('a broker that restarts gracefully, again and again, under load', () => {
  const fault = faultTests();
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** Of a Mosquitto that keeps its sessions in a folder of its own. */
  function persistent(): string[] {
    const folder = mkdtempSync(join(tmpdir(), 'engawa-persistence-'));
    folders.push(folder);
    return ['persistence true', `persistence_location ${folder}/`];
  }

  async function play(scene: Scene, settings: string[], replicas: number): Promise<void> {
    for (let replica = 0; replica < replicas; replica++) await scene.startIngestion(replica);
    const shares = [0.15, 0.35, 0.55, 0.75].map((share) => share + 0.1 * scene.random());
    await scene.publishDisturbed(shares, async () => {
      const port = scene.broker?.port ?? 0;
      await scene.broker?.close();
      scene.broker = await startMosquitto({
        port,
        settings: ['allow_anonymous true', ...settings],
      });
    });
    await scene.verify();
  }

  const scenes: [string, number, SceneOptions['environment']][] = [
    ['one replica', 1, {}],
    ['two replicas with partitions', 2, { MQTT_PARTITIONS: '2', MQTT_REPLICAS: '2' }],
    ['one replica with MQTT 3.1.1', 1, { MQTT_VERSION: '3.1.1' }],
  ];
  for (const [name, replicas, environment = {}] of scenes) {
    const settings = persistent();
    fault(name, { brokerSettings: settings, environment, messages: 3000 }, (scene) =>
      play(scene, settings, replicas),
    );
  }
});
