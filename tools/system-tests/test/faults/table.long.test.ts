import { setTimeout as sleep } from 'node:timers/promises';
import { deviceSeenPartition } from '@engawa/keys';
import { metricValue, until } from '@engawa/testing';
import { faultTests } from './fault-tests.ts';
import type { FaultInput } from '@engawa/dynamodb-simulator';
import type { FaultScenario } from './fault-scenario.ts';

const fault = faultTests();
const batches = ['BatchWriteItem'];

/** For two seconds, starting in the middle of the load. */
async function meanwhile(scenario: FaultScenario, faults: FaultInput[]): Promise<void> {
  await scenario.startIngestion();
  await scenario.publish(async () => {
    await scenario.between(0.1, 0.4);
    scenario.backends.simulator.setFaults(faults);
    await sleep(2000);
    scenario.backends.simulator.setFaults([]);
  });
  await scenario.verify();
}

/** The same until ingestion reports the table's error; it must store no dead letter for that. */
async function untilMissing(scenario: FaultScenario, exception: string): Promise<void> {
  const hasTable = async () => !(await scenario.readyzText()).includes('"table"');
  await scenario.startIngestion();
  await scenario.publish(async () => {
    await scenario.between(0.1, 0.4);
    scenario.backends.simulator.setFaults([{ fault: { kind: 'exception', name: exception } }]);
    await until('no table', async () => !(await hasTable()));
    scenario.backends.simulator.setFaults([]);
    await until('the table', hasTable);
  });
  await scenario.verify();
}

describe('DynamoDB', () => {
  fault('the table is throttled', {}, async (scenario) => {
    await scenario.startIngestion();
    const limits = { provisioned: { table: { write: 50 } }, burstSeconds: 1 };
    scenario.backends.simulator.setLimits(limits);
    await scenario.publish(async () => {
      await scenario.reached(1);
      scenario.backends.simulator.setLimits({});
    });
    await scenario.verify();
  });

  fault('one key range is throttled', {}, async (scenario) => {
    await meanwhile(scenario, [
      {
        partitionKey: `DEVICE#${scenario.prefix}-0`,
        operations: batches,
        fault: { kind: 'throttle' },
      },
    ]);
  });

  const smallWindow = { environment: { MQTT_WINDOW: '40' } };
  const throttleOne = (scenario: FaultScenario): void =>
    scenario.backends.simulator.setFaults([
      {
        partitionKey: `DEVICE#${scenario.prefix}-0`,
        operations: batches,
        fault: { kind: 'throttle' },
      },
    ]);
  const nothingParked = (scenario: FaultScenario) =>
    until('no parked block', async () => {
      const parked = await scenario.backends.parkedBlocks();
      return parked.every(({ device }) => !device.startsWith(`${scenario.prefix}-`));
    });

  fault('one key range is throttled for long', smallWindow, async (scenario) => {
    await scenario.startIngestion();
    throttleOne(scenario);
    await scenario.publish();
    // Fifty of them cannot be stored, and a window of forty is not enough to hold them.
    await scenario.acknowledgements(scenario.sent);
    const others = scenario.publisher.taken.filter(
      ({ device }) => device !== `${scenario.prefix}-0`,
    );
    expect(scenario.acknowledged(others)).toHaveLength(others.length);
    scenario.backends.simulator.setFaults([]);
    await nothingParked(scenario);
    await scenario.verify();
  });

  fault('killed while one key range is throttled', smallWindow, async (scenario) => {
    await scenario.startIngestion();
    throttleOne(scenario);
    await scenario.publish();
    await scenario.acknowledgements(scenario.sent);
    await scenario.ingestion.end('SIGKILL');
    scenario.backends.simulator.setFaults([]);
    await scenario.startIngestion();
    await nothingParked(scenario);
    await scenario.verify();
  });

  fault('an index is throttled', {}, async (scenario) => {
    await meanwhile(scenario, [
      {
        target: 'gsi2',
        partitionKey: deviceSeenPartition(0),
        fault: { kind: 'throttle', exception: 'ProvisionedThroughputExceededException' },
      },
    ]);
  });

  for (const share of [0.3, 1]) {
    fault(`unprocessed items, ${share === 1 ? 'all, without end' : 'some'}`, {}, (scenario) =>
      meanwhile(scenario, [{ fault: { kind: 'unprocessed', share } }]),
    );
  }

  for (const name of ['InternalServerError', 'ServiceUnavailable']) {
    fault(`${name} from time to time`, {}, (scenario) =>
      meanwhile(scenario, [{ probability: 0.5, fault: { kind: 'exception', name } }]),
    );
  }

  for (const after of ['nothing', 'write', 'head'] as const) {
    fault(`no answer, after ${after}`, {}, (scenario) =>
      meanwhile(scenario, [{ probability: 0.3, fault: { kind: 'hang', after } }]),
    );
  }

  for (const when of ['before', 'after'] as const) {
    fault(`the connection is reset ${when} the write`, {}, (scenario) =>
      meanwhile(scenario, [{ probability: 0.5, fault: { kind: 'reset', when } }]),
    );
  }

  fault('credentials expire', {}, (scenario) => untilMissing(scenario, 'ExpiredTokenException'));
  fault('access is denied', {}, (scenario) => untilMissing(scenario, 'AccessDeniedException'));
  fault('the table is gone', {}, (scenario) => untilMissing(scenario, 'ResourceNotFoundException'));

  fault('the clock of the server is an hour ahead', {}, (scenario) =>
    meanwhile(scenario, [{ fault: { kind: 'clock', skewSeconds: 3600 } }]),
  );

  fault(
    'one item of a batch is invalid',
    { messages: 25, devices: 25, presses: false },
    async (scenario) => {
      await scenario.startIngestion(0, { LINGER_MS: '0', DYNAMODB_TIMEOUT_MS: '60000' });
      await scenario.publish(); // so that every device is known
      await scenario.verify();
      scenario.backends.simulator.setFaults([
        {
          partitionKey: `DEVICE#${scenario.prefix}-7`,
          operations: batches,
          fault: { kind: 'exception', name: 'ValidationException', message: 'words of AWS' },
        },
      ]);
      const attempts = () =>
        metricValue(scenario.ingestion.metricsUrl, 'engawa_table_attempts_total', {
          operation: 'BatchWriteItem',
        });
      const before = await attempts();
      await scenario.publish();
      const readingCounts = await scenario.verify(undefined, { stored: 24, deadLettered: 1 });
      expect(readingCounts.taken).toBe(25);
      // However the 25 came to be batched, halving a batch of 25 takes eleven requests, and nothing is tried again.
      expect((await attempts()) - before).toBeLessThanOrEqual(25 + 11);
    },
  );
});
