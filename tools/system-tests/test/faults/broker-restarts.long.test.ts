import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithMosquitto, startMosquitto } from '@engawa/testing';
import { faultTests } from './fault-tests.ts';
import type { FaultScenario, FaultScenarioOptions } from './fault-scenario.ts';

describeWithMosquitto('a broker that restarts gracefully and repeatedly under load', () => {
  const fault = faultTests();
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** Settings of a Mosquitto that persists its sessions in a folder. */
  function persistent(): string[] {
    const folder = mkdtempSync(join(tmpdir(), 'engawa-persistence-'));
    folders.push(folder);
    return ['persistence true', `persistence_location ${folder}/`];
  }

  async function play(
    scenario: FaultScenario,
    settings: string[],
    replicas: number,
  ): Promise<void> {
    for (let replica = 0; replica < replicas; replica++) await scenario.startIngestion(replica);
    const shares = [0.15, 0.35, 0.55, 0.75].map((share) => share + 0.1 * scenario.random());
    await scenario.publishDisturbed(shares, async () => {
      const port = scenario.broker?.port ?? 0;
      await scenario.broker?.close();
      scenario.broker = await startMosquitto({
        port,
        settings: ['allow_anonymous true', ...settings],
      });
    });
    await scenario.verify();
  }

  const scenarios: [string, number, FaultScenarioOptions['environment']][] = [
    ['one replica', 1, {}],
    ['two replicas with partitions', 2, { MQTT_PARTITIONS: '2', MQTT_REPLICAS: '2' }],
    ['one replica with MQTT 3.1.1', 1, { MQTT_VERSION: '3.1.1' }],
  ];
  for (const [name, replicas, environment = {}] of scenarios) {
    const settings = persistent();
    fault(name, { brokerSettings: settings, environment, messages: 3000 }, (scenario) =>
      play(scenario, settings, replicas),
    );
  }
});
