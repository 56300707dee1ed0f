import { describeWithMosquitto } from '@engawa/testing';
import { faultTests } from './fault-tests.ts';
import type { FaultScenarioOptions } from './fault-scenario.ts';

describeWithMosquitto('a broker that restarts gracefully and repeatedly under load', () => {
  const fault = faultTests();
  const scenarios: [string, number, FaultScenarioOptions['environment']][] = [
    ['one replica', 1, {}],
    ['two replicas with partitions', 2, { MQTT_PARTITIONS: '2', MQTT_REPLICAS: '2' }],
    ['one replica with MQTT 3.1.1', 1, { MQTT_VERSION: '3.1.1' }],
  ];
  for (const [name, replicas, environment = {}] of scenarios) {
    const options = { brokerPersistence: true, environment, messages: 3000 };
    fault(name, options, async (scenario) => {
      for (let replica = 0; replica < replicas; replica++) await scenario.startIngestion(replica);
      const shares = [0.15, 0.35, 0.55, 0.75].map((share) => share + 0.1 * scenario.random());
      await scenario.publishDisturbed(shares, () => scenario.broker?.restart('close'));
      await scenario.verify();
    });
  }
});
