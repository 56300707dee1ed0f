import { id, KeyError } from '@engawa/keys';
import { matches } from '../decoders/topic-filter.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { Decoded, Decoder, Source } from '../decoders/decoder.ts';
import type { TopicFilter } from '../decoders/topic-filter.ts';

/** The first decoder whose filter matches the topic. */
export function findDecoder(decoders: readonly Decoder[], topic: string): Decoder | undefined {
  const levels = topic.split('/');
  return decoders.find((decoder) => filterFor(decoder, levels) !== undefined);
}

/** When a message was received (epoch milliseconds); for a replayed dead letter also the indexes of its drafts. */
export type DecodeContext = Pick<Source, 'receivedAt' | 'replayed'>;

/**
 * Without drafts if the message contains no reading.
 * @throws Rejection when nothing of the message can be stored; a promise also rejects with Interrupted
 */
export function decodeMessage(
  decoder: Decoder,
  topic: string,
  payload: Uint8Array,
  context: DecodeContext = { receivedAt: Date.now() },
): Decoded | Promise<Decoded> {
  const levels = topic.split('/');
  const filter = filterFor(decoder, levels);
  if (filter === undefined)
    throw new Rejection('no_decoder', 'the decoder does not take this topic');
  const decoded = decoder.decode({ filter, levels, payload, ...context });
  return decoded instanceof Promise ? decoded.then(checked) : checked(decoded);
}

function checked(decoded: Decoded): Decoded {
  if (decoded.drafts.length === 0) return decoded;
  return { ...decoded, device: checkedDevice(decoded.device) };
}

function filterFor({ filters }: Decoder, levels: readonly string[]): TopicFilter | undefined {
  return filters.find((filter) => matches(filter, levels));
}

function checkedDevice(device: string): string {
  try {
    return id('device id', device);
  } catch (error) {
    if (error instanceof KeyError) throw new Rejection('bad_device', error.message);
    throw error;
  }
}
