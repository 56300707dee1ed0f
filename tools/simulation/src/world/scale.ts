import { emqx, hivemq, mochi, mosquitto, rumqttd, vernemq } from '../broker/index.ts';
import type { BrokerProfile } from '../broker/index.ts';
import type { Random } from '../kernel/index.ts';
import type { Plan } from '../plan.ts';
import type { ServiceName } from './load-services.ts';

/** How replicas of ingestion share messages; `alone`: a single replica with a plain subscription. */
export type Sharing = 'alone' | 'group' | 'partitions';

/** Number of sessions that replicas share with `partitions`. */
export const partitions = 4;

/** The broker of a world, and the replicas of its services. */
export interface Scale {
  profile: BrokerProfile;
  sharing: Sharing;
  /** MQTT version of ingestion, and maximum number of unacknowledged messages per replica. */
  mqtt: { version: '5' | '3.1.1'; window: number };
  replicas: Readonly<Record<ServiceName, number>>;
  /** Wall-clock time at which the world begins (epoch milliseconds). */
  beginsAt: number;
  /** Retention of readings of climate devices in days; 0 is unlimited, as for all other kinds. */
  climateDays: number;
}

/** Profiles to draw from; most homes have Mosquitto. */
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
 * Worlds begin at noon, so that replicas with different clocks agree on the day while actors act:
 * two days before clocks change in Europe/Berlin (2025-10-26, 2026-03-29) or America/St_Johns
 * (2025-11-02, 2026-03-08), or on New Year's Day.
 */
const beginnings = ['2026-01-01', '2025-10-24', '2025-10-31', '2026-03-06', '2026-03-27'].map(
  (day) => Date.parse(`${day}T12:00:00Z`),
);

/**
 * Draws a scale that docs/brokers.md recommends, or a group with Mosquitto, whose losses
 * docs/reliability.md describes. rumqttd gets a single replica, since it stops serving groups.
 *
 * @param given replaces drawn values without changing the others
 */
export function drawScale(random: Random, given: Pick<Plan, 'broker' | 'replicas'> = {}): Scale {
  const drawn = random.pick(brokers);
  const profile = brokers.find(({ name }) => name === given.broker) ?? drawn;
  const some = () => random.pick([1, 1, 2, 2, 3]);
  const drawnReplicas = { ingestion: some(), registry: some(), query: some(), catalog: some() };
  const replicas = { ...drawnReplicas, ...given.replicas };
  if (profile === rumqttd) replicas.ingestion = 1;
  const mayGroup = random.chance(0.3);
  const isInGroup = profile.durability.groups === 'kept' || mayGroup;
  const shared = isInGroup ? 'group' : 'partitions';
  const scale: Scale = {
    ...{ profile, replicas, sharing: replicas.ingestion === 1 ? 'alone' : shared },
    mqtt: {
      version: random.pick(['5', '5', '3.1.1']),
      window: random.pick([1, 5, 50, 2000]),
    },
    beginsAt: random.pick(beginnings),
    climateDays: random.pick([0, 1, 1, 3]),
  };
  const isCrowded = scale.sharing === 'partitions' && random.chance(0.7);
  return isCrowded ? crowded(scale, random, given) : scale;
}

/** A replica for each partition, and a broker that decides how many messages are in flight: few, mostly of others. */
function crowded(scale: Scale, random: Random, given: Pick<Plan, 'replicas'>): Scale {
  const replicas = { ...scale.replicas, ingestion: partitions, ...given.replicas };
  return { ...scale, replicas, mqtt: { version: '3.1.1', window: random.pick([50, 2000]) } };
}

/** Maximum number of messages of one session in flight. */
export function inFlightOf({ profile, sharing, mqtt, replicas }: Scale): number {
  const { max, receiveMaximum } = profile.inFlight;
  const sessions = sharing === 'partitions' ? Math.ceil(partitions / replicas.ingestion) : 1;
  const wanted = Math.ceil(mqtt.window / sessions);
  const own = max === 0 ? Infinity : max;
  if (receiveMaximum === 'replaces' && mqtt.version === '5') return wanted;
  return Math.min(own, wanted);
}
