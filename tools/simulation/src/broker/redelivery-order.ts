import type { Random } from '../kernel/random.ts';
import type { Delivery } from './delivery.ts';

/** Shuffles the messages of each second, like a broker that keeps them in a map sorted by seconds. */
export function mixWithinSeconds(deliveries: Iterable<Delivery>, random: Random): Delivery[] {
  const keyed = [...deliveries].map((delivery) => ({
    delivery,
    second: Math.floor(delivery.record.message.takenAt / 1000),
    place: random.fraction(),
  }));
  keyed.sort((one, other) => one.second - other.second || one.place - other.place);
  return keyed.map(({ delivery }) => delivery);
}
