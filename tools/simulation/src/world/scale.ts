import { emqx, hivemq, mochi, mosquitto, rumqttd, vernemq } from '../broker/index.ts';
import type { BrokerProfile } from '../broker/index.ts';
import type { Random } from '../kernel/index.ts';
import type { ServiceName } from './load-services.ts';

/** How replicas of ingestion share the messages; `alone`: there is one, with a plain subscription. */
export type Sharing = 'alone' | 'group' | 'partitions';

/** Sessions over which replicas split the messages, where they do. */
export const partitions = 4;

/** The broker of a world, and how many replicas share what. */
export interface Scale {
  profile: BrokerProfile;
  sharing: Sharing;
  /** Which version of MQTT ingestion speaks, and how many unacknowledged messages a replica takes. */
  mqtt: { version: '5' | '3.1.1'; window: number };
  replicas: Readonly<Record<ServiceName, number>>;
}

/** Homes have Mosquitto most often. */
const brokers: readonly BrokerProfile[] = [
  mosquitto,
  mosquitto,
  hivemq,
  emqx,
  mochi,
  vernemq,
  rumqttd,
];

/**
 * As `docs/brokers.md` says, but for a group at a Mosquitto, which is not advised, and of which docs/reliability.md says what it loses. Of
 * rumqttd only what a single replica needs: it stops serving groups.
 */
export function drawScale(random: Random): Scale {
  const profile = random.pick(brokers);
  const some = () => random.integer(1, 3);
  const replicas = {
    ingestion: profile === rumqttd ? 1 : some(),
    registry: some(),
    query: some(),
    catalog: some(),
  };
  const isInGroup = profile.durability.groups === 'kept' || random.chance(0.5);
  const sharing = isInGroup ? 'group' : 'partitions';
  return {
    ...{ profile, replicas, sharing: replicas.ingestion === 1 ? 'alone' : sharing },
    mqtt: {
      version: random.pick(['5', '5', '3.1.1']),
      window: random.pick([1, 5, 50, 2000]),
    },
  };
}

/** How many messages of one session are under way at the same time. */
export function inFlightOf({ profile, sharing, mqtt, replicas }: Scale): number {
  const { max, receiveMaximum } = profile.inFlight;
  const sessions = sharing === 'partitions' ? Math.ceil(partitions / replicas.ingestion) : 1;
  const wanted = Math.ceil(mqtt.window / sessions);
  const own = max === 0 ? Infinity : max;
  if (receiveMaximum === 'replaces' && mqtt.version === '5') return wanted;
  return Math.min(own, wanted);
}
