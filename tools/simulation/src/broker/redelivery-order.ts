import type { Random } from '../kernel/random.ts';
import type { Delivery } from './delivery.ts';

/** Any order among the messages of a second, as a map gives them that is sorted by seconds only. */
export function mixWithinSeconds(deliveries: Iterable<Delivery>, random: Random): Delivery[] {
  const keyed = [...deliveries].map((delivery) => ({
    delivery,
    second: Math.floor(delivery.record.message.takenAt / 1000),
    place: random.fraction(),
  }));
  keyed.sort((one, other) => one.second - other.second || one.place - other.place);
  return keyed.map(({ delivery }) => delivery);
}
