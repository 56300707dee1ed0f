import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithMosquitto } from '@engawa/testing';
import { faultTests } from './fault-tests.ts';

describeWithMosquitto('the process', () => {
  const fault = faultTests();
  const group = { MQTT_GROUP: 'engawa', SHUTDOWN_TIMEOUT_MS: '10000' };

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    fault(`${signal} under load`, {}, async (scenario) => {
      await scenario.startIngestion();
      const shares = [0.2, 0.5].map((share) => share + 0.1 * scenario.random());
      await scenario.publishDisturbed(shares, async () => {
        await scenario.ingestion.end(signal);
        await scenario.startIngestion();
      });
      await scenario.verify();
    });
  }

  fault('killed between a write and its acknowledgement', {}, async (scenario) => {
    await scenario.startIngestion();
    await scenario.publish(async () => {
      await scenario.between(0.1, 0.3);
      // Writes from here on take place, but their responses are lost.
      scenario.backends.simulator.setFaults([
        { operations: ['BatchWriteItem'], fault: { kind: 'hang', after: 'write' } },
      ]);
      await sleep(500);
      await scenario.ingestion.end('SIGKILL');
      scenario.backends.simulator.setFaults([]);
      await scenario.startIngestion();
    });
    await scenario.verify();
  });

  fault('its event loop stands still for longer than the keep-alive', {}, async (scenario) => {
    await scenario.startIngestion();
    await scenario.publish(async () => {
      await scenario.between(0.2, 0.5);
      scenario.ingestion.signal('SIGSTOP');
      await sleep(4500); // the broker gives up after one and a half times two seconds
      scenario.ingestion.signal('SIGCONT');
    });
    await scenario.verify();
  });

  fault('a member of a group dies', { environment: group }, async (scenario) => {
    const [dying] = [await scenario.startIngestion(0), await scenario.startIngestion(1)];
    await scenario.publish(async () => {
      await scenario.between(0.2, 0.6);
      await dying.end('SIGKILL');
      await scenario.startIngestion(0);
    });
    await scenario.verify();
  });

  fault('a rolling update of a group', { environment: group }, async (scenario) => {
    const members = [await scenario.startIngestion(0), await scenario.startIngestion(1)];
    await scenario.publishDisturbed([0.2, 0.5], async (number) => {
      await members[number]?.end('SIGTERM');
      await scenario.startIngestion(number);
    });
    await scenario.verify();
  });

  fault('a member of a group is removed permanently', { environment: group }, async (scenario) => {
    const [, leaving] = [await scenario.startIngestion(0), await scenario.startIngestion(1)];
    await scenario.publish(async () => {
      await scenario.between(0.2, 0.6);
      await leaving.end('SIGTERM');
    });
    await scenario.verify();
  });

  fault('a flood of poison', {}, async (scenario) => {
    await scenario.startIngestion();
    await scenario.connectPublisher();
    await Promise.all([
      scenario.publisher.publishPoison(1000),
      scenario.publisher.publish(scenario.messages),
    ]);
    await scenario.verify(undefined, { stored: scenario.messages, deadLettered: 1000 });
    await scenario.publisher.close();
  });
});
