import { id, KeyError } from '@engawa/keys';
import { matches } from '../decoders/topic-filter.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { Decoded, Decoder, Source } from '../decoders/decoder.ts';
import type { TopicFilter } from '../decoders/topic-filter.ts';

/** A decoder, and the filter by which it takes a topic. */
export interface Route {
  decoder: Decoder;
  filter: TopicFilter;
  /** Of the topic. */
  levels: readonly string[];
}

/** The first decoder whose filter matches the topic. */
export function routeOf(decoders: readonly Decoder[], topic: string): Route | undefined {
  return firstRoute(decoders, topic.split('/'), 0);
}

/** The next decoder whose filter matches the topic, if the payload does not prove the brand of this one. */
export function nextRoute(
  decoders: readonly Decoder[],
  { decoder, levels }: Route,
): Route | undefined {
  return firstRoute(decoders, levels, decoders.indexOf(decoder) + 1);
}

/** @param start index of the first decoder to be tried */
function firstRoute(
  decoders: readonly Decoder[],
  levels: readonly string[],
  start: number,
): Route | undefined {
  for (let index = start; index < decoders.length; index += 1) {
    const decoder = decoders[index];
    const filter = decoder && filterFor(decoder, levels);
    if (decoder !== undefined && filter !== undefined) return { decoder, filter, levels };
  }
  return undefined;
}

/** The decoder of `routeOf`. */
export function findDecoder(decoders: readonly Decoder[], topic: string): Decoder | undefined {
  return routeOf(decoders, topic)?.decoder;
}

/** When a message was received (epoch milliseconds); for a replayed dead letter also the indexes of its drafts. */
export type DecodeContext = Pick<Source, 'receivedAt' | 'replayed'>;

/**
 * Without drafts if the message contains no reading.
 * @throws Rejection when nothing of the message can be stored; a promise also rejects with Interrupted
 */
export function decodeMessage(
  { decoder, filter, levels }: Route,
  payload: Uint8Array,
  context: DecodeContext = { receivedAt: Date.now() },
): Decoded | Promise<Decoded> {
  const decoded = decoder.decode({ filter, levels, payload, ...context });
  return decoded instanceof Promise ? decoded.then(checked) : checked(decoded);
}

function checked(decoded: Decoded): Decoded {
  const { others } = decoded;
  const device = decoded.drafts.length === 0 ? decoded.device : checkedDevice(decoded.device);
  if (others !== undefined) return { ...decoded, device, others: others.map(checked) };
  return device === decoded.device ? decoded : { ...decoded, device };
}

function filterFor({ filters }: Decoder, levels: readonly string[]): TopicFilter | undefined {
  return filters.find((filter) => matches(filter, levels));
}

function checkedDevice(device: string): string {
  try {
    return id('device id', device);
  } catch (error) {
    if (error instanceof KeyError)
      throw new Rejection('device-invalid', { message: error.message });
    throw error;
  }
}
