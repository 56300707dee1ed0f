import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithMosquitto } from '@engawa/testing';
import { faultTests } from './scene.ts';

describeWithMosquitto('the process', () => {
  const fault = faultTests();
  const group = { MQTT_GROUP: 'engawa', SHUTDOWN_TIMEOUT_MS: '10000' };

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    fault(`${signal} under load`, {}, async (scene) => {
      await scene.startIngestion();
      const shares = [0.2, 0.5].map((share) => share + 0.1 * scene.random());
      await scene.publishDisturbed(shares, async () => {
        await scene.ingestion.end(signal);
        await scene.startIngestion();
      });
      await scene.verify();
    });
  }

  fault('killed between a write and its acknowledgement', {}, async (scene) => {
    await scene.startIngestion();
    await scene.publish(async () => {
      await scene.between(0.1, 0.3);
      // What is written from here on takes place, but ingestion never hears of it.
      scene.ground.simulator.setFaults([
        { operations: ['BatchWriteItem'], fault: { kind: 'hang', after: 'write' } },
      ]);
      await sleep(500);
      await scene.ingestion.end('SIGKILL');
      scene.ground.simulator.setFaults([]);
      await scene.startIngestion();
    });
    await scene.verify();
  });

  fault('its event loop stands still for longer than the keep-alive', {}, async (scene) => {
    await scene.startIngestion();
    await scene.publish(async () => {
      await scene.between(0.2, 0.5);
      scene.ingestion.signal('SIGSTOP');
      await sleep(4500); // the broker gives up after one and a half times two seconds
      scene.ingestion.signal('SIGCONT');
    });
    await scene.verify();
  });

  fault('a member of a group dies', { environment: group }, async (scene) => {
    const [dying] = [await scene.startIngestion(0), await scene.startIngestion(1)];
    await scene.publish(async () => {
      await scene.between(0.2, 0.6);
      await dying.end('SIGKILL');
      await scene.startIngestion(0);
    });
    await scene.verify();
  });

  fault('a rolling update of a group', { environment: group }, async (scene) => {
    const members = [await scene.startIngestion(0), await scene.startIngestion(1)];
    await scene.publishDisturbed([0.2, 0.5], async (number) => {
      await members[number]?.end('SIGTERM');
      await scene.startIngestion(number);
    });
    await scene.verify();
  });

  fault('a member of a group is taken away for good', { environment: group }, async (scene) => {
    const [, leaving] = [await scene.startIngestion(0), await scene.startIngestion(1)];
    await scene.publish(async () => {
      await scene.between(0.2, 0.6);
      await leaving.end('SIGTERM');
    });
    await scene.verify();
  });

  fault('a flood of poison', {}, async (scene) => {
    await scene.startIngestion();
    await scene.connectPublisher();
    await Promise.all([
      scene.publisher.publishPoison(1000),
      scene.publisher.publish(scene.messages),
    ]);
    await scene.verify(undefined, { stored: scene.messages, deadLettered: 1000 });
    await scene.publisher.close();
  });
});
