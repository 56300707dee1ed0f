import type { RandomFault } from './fault.ts';

/** Restarts the broker gracefully; it restores its persisted state. */
const restartBroker: RandomFault = {
  name: 'restart of the broker',
  weight: 3,
  inject: ({ system, random, narrate }) => {
    const downMs = random.integer(0, 10_000);
    narrate(`the broker is restarted, and down for ${downMs} ms`);
    system.broker.restart({ how: 'clean', downMs });
  },
};

/** Kills the broker with SIGKILL. */
const killBroker: RandomFault = {
  name: 'kill of the broker',
  weight: 1,
  inject: ({ system, random, narrate }) => {
    const downMs = random.integer(500, 20_000);
    narrate(`the broker is killed, and down for ${downMs} ms`);
    system.broker.restart({ how: 'kill', downMs });
  },
};

export const brokerFaults: readonly RandomFault[] = [restartBroker, killBroker];
