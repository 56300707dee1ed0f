import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithMosquitto, randomFrom, scaled } from '@engawa/testing';
import { faultTests } from './fault-tests.ts';
import type { FaultInput } from '@engawa/dynamodb-simulator';
import type { FaultScenario } from './fault-scenario.ts';

const replicas = 2;
const maxDowntimeMs = 3000;

/** No request gets a response, although half of them take place. */
const outage: FaultInput[] = [
  { probability: 0.5, fault: { kind: 'reset', when: 'after' } },
  { fault: { kind: 'reset', when: 'before' } },
];

interface Disturbance {
  downtimeMs: number;
  replica: number;
}

/** Kills replicas, restarts the broker and interrupts the table, each several times, independently of each other. */
async function play(scenario: FaultScenario, random: () => number): Promise<void> {
  const { simulator } = scenario.backends;
  const running = [await scenario.startIngestion(0), await scenario.startIngestion(1)];
  const repeat = async (times: number, disturb: (disturbance: Disturbance) => Promise<void>) => {
    // All at first, so that the seed repeats them.
    const disturbances = Array.from({ length: times }, (_, index) => ({
      share: (index + random()) / times,
      downtimeMs: random() * maxDowntimeMs,
      replica: Math.floor(random() * replicas),
    }));
    for (const { share, ...disturbance } of disturbances) {
      await scenario.reached(share);
      await disturb(disturbance);
    }
  };
  await scenario.publish(() =>
    Promise.all([
      repeat(4, async ({ downtimeMs, replica }) => {
        await running[replica]?.end('SIGKILL');
        await sleep(downtimeMs);
        running[replica] = await scenario.startIngestion(replica);
      }),
      repeat(2, async ({ downtimeMs }) => scenario.broker?.restart('close', downtimeMs)),
      repeat(2, async ({ downtimeMs }) => {
        simulator.setFaults(outage);
        await sleep(downtimeMs);
        simulator.setFaults([]);
      }),
    ]),
  );
  await scenario.verify();
}

describeWithMosquitto('overlapping faults of replicas, broker and table', () => {
  const fault = faultTests();
  const options = {
    messages: 8000,
    brokerPersistence: true,
    environment: {
      MQTT_PARTITIONS: String(replicas),
      MQTT_REPLICAS: String(replicas),
      // So that a busy machine causes no further reconnects.
      MQTT_KEEPALIVE_SECONDS: '60',
    },
  };

  for (let round = 1; round <= scaled(1); round++) {
    fault(`overlapping faults, round ${round}`, options, (scenario) =>
      play(scenario, randomFrom(scenario.seed + 1000 * round)),
    );
  }
});
