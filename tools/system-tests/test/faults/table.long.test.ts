import { setTimeout as sleep } from 'node:timers/promises';
import { deviceSeenPartition } from '@engawa/keys';
import { metricValue, until } from '@engawa/testing';
import { faultTests } from './scene.ts';
import type { FaultInput } from '@engawa/dynamodb-simulator';
import type { Scene } from './scene.ts';

const fault = faultTests();
const batches = ['BatchWriteItem'];

/** From the middle of the load on, for two seconds of it. */
async function meanwhile(scene: Scene, faults: FaultInput[]): Promise<void> {
  await scene.startIngestion();
  await scene.publish(async () => {
    await scene.between(0.1, 0.4);
    scene.ground.simulator.setFaults(faults);
    await sleep(2000);
    scene.ground.simulator.setFaults([]);
  });
  await scene.verify();
}

/** The same, until ingestion says why it has no table; then with no dead letter for it. */
async function untilMissing(scene: Scene, exception: string): Promise<void> {
  const hasTable = async () => !(await scene.readyzText()).includes('"table"');
  await scene.startIngestion();
  await scene.publish(async () => {
    await scene.between(0.1, 0.4);
    scene.ground.simulator.setFaults([{ fault: { kind: 'exception', name: exception } }]);
    await until('no table', async () => !(await hasTable()));
    scene.ground.simulator.setFaults([]);
    await until('the table', hasTable);
  });
  await scene.verify();
}

describe('DynamoDB', () => {
  fault('the table is throttled', {}, async (scene) => {
    await scene.startIngestion();
    const limits = { provisioned: { table: { write: 50 } }, burstSeconds: 1 };
    scene.ground.simulator.setLimits(limits);
    await scene.publish(async () => {
      await scene.reached(1);
      scene.ground.simulator.setLimits({});
    });
    await scene.verify();
  });

  fault('one key range is throttled', {}, async (scene) => {
    await meanwhile(scene, [
      {
        partitionKey: `DEVICE#${scene.prefix}-0`,
        operations: batches,
        fault: { kind: 'throttle' },
      },
    ]);
  });

  const smallWindow = { environment: { MQTT_WINDOW: '40' } };
  const throttleOne = (scene: Scene): void =>
    scene.ground.simulator.setFaults([
      {
        partitionKey: `DEVICE#${scene.prefix}-0`,
        operations: batches,
        fault: { kind: 'throttle' },
      },
    ]);
  const nothingParked = (scene: Scene) =>
    until('no parked block', async () => {
      const parked = await scene.ground.parkedBlocks();
      return parked.every(({ device }) => !device.startsWith(`${scene.prefix}-`));
    });

  fault('one key range is throttled for long', smallWindow, async (scene) => {
    await scene.startIngestion();
    throttleOne(scene);
    await scene.publish();
    // Fifty of them cannot be stored, and a window of forty is not enough to hold them.
    await scene.acknowledgements(scene.messages);
    const others = scene.publisher.taken.filter(({ device }) => device !== `${scene.prefix}-0`);
    expect(scene.acknowledged(others)).toHaveLength(others.length);
    scene.ground.simulator.setFaults([]);
    await nothingParked(scene);
    await scene.verify();
  });

  fault('killed while one key range is throttled', smallWindow, async (scene) => {
    await scene.startIngestion();
    throttleOne(scene);
    await scene.publish();
    await scene.acknowledgements(scene.messages);
    await scene.ingestion.end('SIGKILL');
    scene.ground.simulator.setFaults([]);
    await scene.startIngestion();
    await nothingParked(scene);
    await scene.verify();
  });

  fault('an index is throttled', {}, async (scene) => {
    await meanwhile(scene, [
      {
        target: 'gsi2',
        partitionKey: deviceSeenPartition(0),
        fault: { kind: 'throttle', exception: 'ProvisionedThroughputExceededException' },
      },
    ]);
  });

  for (const share of [0.3, 1]) {
    fault(`unprocessed items, ${share === 1 ? 'all, without end' : 'some'}`, {}, (scene) =>
      meanwhile(scene, [{ fault: { kind: 'unprocessed', share } }]),
    );
  }

  for (const name of ['InternalServerError', 'ServiceUnavailable']) {
    fault(`${name} from time to time`, {}, (scene) =>
      meanwhile(scene, [{ probability: 0.5, fault: { kind: 'exception', name } }]),
    );
  }

  for (const after of ['nothing', 'write', 'head'] as const) {
    fault(`no answer, after ${after}`, {}, (scene) =>
      meanwhile(scene, [{ probability: 0.3, fault: { kind: 'hang', after } }]),
    );
  }

  for (const when of ['before', 'after'] as const) {
    fault(`the connection is reset ${when} the write`, {}, (scene) =>
      meanwhile(scene, [{ probability: 0.5, fault: { kind: 'reset', when } }]),
    );
  }

  fault('credentials expire', {}, (scene) => untilMissing(scene, 'ExpiredTokenException'));
  fault('access is denied', {}, (scene) => untilMissing(scene, 'AccessDeniedException'));
  fault('the table is gone', {}, (scene) => untilMissing(scene, 'ResourceNotFoundException'));

  fault('the clock of the server is an hour ahead', {}, (scene) =>
    meanwhile(scene, [{ fault: { kind: 'clock', skewSeconds: 3600 } }]),
  );

  fault('one item of a batch is invalid', { messages: 25, devices: 25 }, async (scene) => {
    await scene.startIngestion(0, { LINGER_MS: '0', DYNAMODB_TIMEOUT_MS: '60000' });
    await scene.publish(); // so that every device is known
    await scene.verify();
    scene.ground.simulator.setFaults([
      {
        partitionKey: `DEVICE#${scene.prefix}-7`,
        operations: batches,
        fault: { kind: 'exception', name: 'ValidationException', message: 'words of AWS' },
      },
    ]);
    const attempts = () =>
      metricValue(scene.ingestion.metricsUrl, 'engawa_table_attempts_total', {
        operation: 'BatchWriteItem',
      });
    const before = await attempts();
    await scene.publish();
    const verdict = await scene.verify(undefined, { stored: 24, deadLettered: 1 });
    expect(verdict.taken).toBe(25);
    // However the 25 came to be batched, halving a batch of 25 takes eleven requests, and nothing is tried again.
    expect((await attempts()) - before).toBeLessThanOrEqual(25 + 11);
  });
});
