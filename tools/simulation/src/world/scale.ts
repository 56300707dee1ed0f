import { emqx, hivemq, mochi, mosquitto, rumqttd, vernemq } from '../broker/index.ts';
import type { BrokerProfile } from '../broker/index.ts';
import type { Random } from '../kernel/index.ts';
import type { Plan } from '../plan.ts';
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
  /** Wall-clock time at which the world begins (epoch milliseconds). */
  beginsAt: number;
  /** Days for which readings of climate devices are kept; 0 is for ever, as of all other kinds. */
  climateDays: number;
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
 * At noon, so that no day ends for one replica before it does for another while something happens.
 * Two days before clocks change in Europe/Berlin (2025-10-26, 2026-03-29) or America/St_Johns
 * (2025-11-02, 2026-03-08), or in the new year.
 */
const beginnings = ['2026-01-01', '2025-10-24', '2025-10-31', '2026-03-06', '2026-03-27'].map(
  (day) => Date.parse(`${day}T12:00:00Z`),
);

/**
 * As `docs/brokers.md` says, but for a group at a Mosquitto, which is not advised, and of which
 * docs/reliability.md says what it loses. Of rumqttd only what a single replica needs: it stops
 * serving groups.
 *
 * @param given what is not drawn; the rest is drawn as without it
 */
export function drawScale(random: Random, given: Pick<Plan, 'broker' | 'replicas'> = {}): Scale {
  const drawn = random.pick(brokers);
  const profile = brokers.find(({ name }) => name === given.broker) ?? drawn;
  const some = () => random.pick([1, 1, 2, 2, 3]);
  const drawnReplicas = { ingestion: some(), registry: some(), query: some(), catalog: some() };
  const replicas = { ...drawnReplicas, ...given.replicas };
  if (profile === rumqttd) replicas.ingestion = 1;
  const mayGroup = random.chance(0.5);
  const isInGroup = profile.durability.groups === 'kept' || mayGroup;
  const sharing = isInGroup ? 'group' : 'partitions';
  return {
    ...{ profile, replicas, sharing: replicas.ingestion === 1 ? 'alone' : sharing },
    mqtt: {
      version: random.pick(['5', '5', '3.1.1']),
      window: random.pick([1, 5, 50, 2000]),
    },
    beginsAt: random.pick(beginnings),
    climateDays: random.pick([0, 1, 1, 3]),
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
