import type { Random } from '../../../src/kernel/random.ts';

export type ScriptStep =
  | { do: 'connect'; client: number; clean: boolean; expirySeconds: number; hasWill: boolean }
  | { do: 'disconnect'; client: number; how: 'goodbye' | 'reset' }
  | {
      do: 'subscribe';
      client: number;
      filter: string;
      qos: 0 | 1 | 2;
      rh: 0 | 1 | 2;
      rap: boolean;
      nl: boolean;
    }
  | { do: 'unsubscribe'; client: number; filter: string }
  | {
      do: 'publish';
      client: number;
      topic: string;
      qos: 0 | 1 | 2;
      retain: boolean;
      payload: string;
    };

/** Number of clients in a script. Even clients use MQTT 5, odd ones 3.1.1. */
export const scriptClients = 4;

const topics = ['a', 'a/b', 'a/b/c', 'b', '/a', 'b/c', '$dollar/a'];
const filters = [...topics, '#', '+', 'a/#', '+/b', 'a/+/c', '+/+'];
/**
 * Mosquitto 2.0.11 delivers one copy of a message to a client of MQTT 3.1.1 that matches both a
 * shared and a plain subscription; each client has only one kind of subscription.
 */
const sharedFilters = ['$share/g/a/#', '$share/g/b', '$share/h/+/c'];

function filterFor(random: Random, client: number): string {
  return random.pick(client < 2 ? filters : sharedFilters);
}

/** Draws a sequence of steps, in which only connected clients act. */
export function randomScript(random: Random, length: number): ScriptStep[] {
  const connected = new Set<number>();
  const steps: ScriptStep[] = [];
  for (let number = 0; number < length; number++) {
    const client = random.integer(0, scriptClients - 1);
    const step = connected.has(client) ? act(random, client, number) : connect(random, client);
    if (step.do === 'connect') connected.add(client);
    if (step.do === 'disconnect') connected.delete(client);
    steps.push(step);
  }
  return steps;
}

function connect(random: Random, client: number): ScriptStep {
  return {
    do: 'connect',
    client,
    clean: random.chance(0.2),
    expirySeconds: random.chance(0.8) ? 1000 : 0,
    hasWill: random.chance(0.3),
  };
}

function act(random: Random, client: number, number: number): ScriptStep {
  const qos = random.pick([0, 1, 2] as const);
  switch (
    random.pick([
      'publish',
      'publish',
      'publish',
      'publish',
      'subscribe',
      'subscribe',
      'unsubscribe',
      'disconnect',
      'connect',
    ])
  ) {
    case 'subscribe':
      return {
        do: 'subscribe',
        client,
        filter: filterFor(random, client),
        qos,
        rh: random.pick([0, 1, 2]),
        rap: random.chance(0.5),
        nl: random.chance(0.2),
      };
    case 'unsubscribe':
      // Mosquitto 2.0.11 reports success for a missing subscription below an unknown $ topic.
      return {
        do: 'unsubscribe',
        client,
        filter: filterFor(random, client).replace('$dollar/', ''),
      };
    case 'disconnect':
      return { do: 'disconnect', client, how: random.pick(['goodbye', 'reset']) };
    case 'connect':
      return connect(random, client);
    default: {
      const retain = random.chance(0.3);
      const payload = retain && random.chance(0.3) ? '' : `message ${number}`;
      return { do: 'publish', client, topic: random.pick(topics), qos, retain, payload };
    }
  }
}
