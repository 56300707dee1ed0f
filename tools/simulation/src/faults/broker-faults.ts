import { reasonCode } from '../broker/index.ts';
import { ports } from '../world/environment.ts';
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

/** The broker, or a proxy in front of it, ends all connections and accepts no client for a while. */
const refuseClients: RandomFault = {
  name: 'refused clients',
  weight: 2,
  inject: ({ system, random, narrate }) => {
    const forMs = random.integer(200, 5000);
    narrate(`the broker ends all connections, and refuses clients for ${forMs} ms`);
    system.broker.refuseConnects(reasonCode.serverUnavailable, forMs);
    for (const connection of system.network.connections) {
      if (connection.port === ports.broker) connection.cut();
    }
  },
};

export const brokerFaults: readonly RandomFault[] = [restartBroker, killBroker, refuseClients];
