import type { Connection } from '../kernel/index.ts';
import type { RandomFault, FaultContext } from './fault.ts';

/** A router or a proxy ends a connection. */
const reset: RandomFault = {
  name: 'reset',
  weight: 4,
  inject: ({ system, random, narrate }) => {
    const connection = choose(system.network.connections, random);
    narrate(`the connection ${nameOf(connection)} is reset`);
    connection?.cut();
  },
};

/** A NAT drops a connection: packets are lost in both directions, without an error at either end. */
const silence: RandomFault = {
  name: 'silence',
  weight: 2,
  inject: ({ system, random, narrate }) => {
    const connection = choose(system.network.connections, random);
    narrate(`the connection ${nameOf(connection)} becomes half open`);
    connection?.silence();
  },
};

function choose(connections: readonly Connection[], random: FaultContext['random']) {
  return connections.length === 0 ? undefined : random.pick(connections);
}

function nameOf(connection: Connection | undefined): string {
  return connection === undefined
    ? '(none is open)'
    : `from ${connection.client} to ${connection.server}`;
}

export const connectionFaults: readonly RandomFault[] = [reset, silence];
