import type { Fault } from './fault.ts';

/** The broker is restarted gracefully, and restores its persisted state. */
const restartBroker: Fault = {
  name: 'restart of the broker',
  weight: 3,
  inject: ({ system, random, tell }) => {
    const downMs = random.integer(0, 10_000);
    tell(`the broker is restarted, and away for ${downMs} ms`);
    system.broker.restart({ how: 'clean', downMs });
  },
};

/** The broker is killed. */
const killBroker: Fault = {
  name: 'kill of the broker',
  weight: 1,
  inject: ({ system, random, tell }) => {
    const downMs = random.integer(500, 20_000);
    tell(`the broker is killed, and away for ${downMs} ms`);
    system.broker.restart({ how: 'kill', downMs });
  },
};

export const brokerFaults: readonly Fault[] = [restartBroker, killBroker];
