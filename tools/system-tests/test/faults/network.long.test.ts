import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithMosquitto, until } from '@engawa/testing';
import { faultTests } from './scene.ts';

describeWithMosquitto('the network', () => {
  const fault = faultTests();

  for (const mqttVersion of ['5', '3.1.1'] as const) {
    fault(`connections are reset, MQTT ${mqttVersion}`, { mqttVersion }, async (scene) => {
      await scene.startIngestion();
      await scene.publishDisturbed([0.2, 0.4, 0.6], () => scene.path.cut());
      await scene.verify();
    });
  }

  fault('a connection is half open', {}, async (scene) => {
    await scene.startIngestion();
    await scene.publish(async () => {
      await scene.between(0.2, 0.6);
      const before = scene.path.opened;
      scene.path.freeze();
      await until('another connection', () => scene.path.opened > before);
    });
    await scene.verify();
  });

  fault('a reset inside a PUBLISH', {}, async (scene) => {
    await scene.startIngestion();
    await scene.publishDisturbed([0.1, 0.3, 0.5, 0.7], () => scene.path.cutInside(scene.random));
    await scene.verify();
  });

  fault('packets come in fragments', { messages: 500 }, async (scene) => {
    await scene.startIngestion();
    scene.path.fragment(scene.random);
    await scene.publish();
    await scene.verify();
  });

  fault('the broker is out of reach for a while', {}, async (scene) => {
    await scene.startIngestion();
    await scene.publish(async () => {
      await scene.between(0.2, 0.5);
      scene.path.refuse(true);
      scene.path.cut();
      await sleep(1500);
      scene.path.refuse(false);
    });
    await scene.verify();
  });
});
