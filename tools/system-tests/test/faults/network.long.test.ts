import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithMosquitto, until } from '@engawa/testing';
import { faultTests } from './fault-tests.ts';

describeWithMosquitto('the network', () => {
  const fault = faultTests();

  for (const mqttVersion of ['5', '3.1.1'] as const) {
    fault(`connections are reset, MQTT ${mqttVersion}`, { mqttVersion }, async (scenario) => {
      await scenario.startIngestion();
      await scenario.publishDisturbed([0.2, 0.4, 0.6], () => scenario.path.cut());
      await scenario.verify();
    });
  }

  fault('a connection is half open', {}, async (scenario) => {
    await scenario.startIngestion();
    await scenario.publish(async () => {
      await scenario.between(0.2, 0.6);
      const before = scenario.path.opened;
      scenario.path.freeze();
      await until('another connection', () => scenario.path.opened > before);
    });
    await scenario.verify();
  });

  fault('a reset inside a PUBLISH', {}, async (scenario) => {
    await scenario.startIngestion();
    await scenario.publishDisturbed([0.1, 0.3, 0.5, 0.7], () =>
      scenario.path.cutInside(scenario.random),
    );
    await scenario.verify();
  });

  fault('packets come in fragments', { messages: 500 }, async (scenario) => {
    await scenario.startIngestion();
    scenario.path.fragment(scenario.random);
    await scenario.publish();
    await scenario.verify();
  });

  fault('the broker is out of reach for a while', {}, async (scenario) => {
    await scenario.startIngestion();
    await scenario.publish(async () => {
      await scenario.between(0.2, 0.5);
      scenario.path.refuse(true);
      scenario.path.cut();
      await sleep(1500);
      scenario.path.refuse(false);
    });
    await scenario.verify();
  });
});
