import { decodeMessage, routeOf } from '../intake/decode-message.ts';
import { checkFewReadings } from '../intake/check-readings.ts';
import { createDecoders } from '../decoders/index.ts';
import { topicFilter } from '../decoders/topic-filter.ts';
import { toRefusal } from '../refusals/refusal.ts';
import { mappingDecoder } from './mapping-decoder.ts';
import type { Reading } from '@engawa/model';
import type { Decoded } from '../decoders/decoder.ts';
import type { Refusal } from '../refusals/refusal.ts';
import type { MappingDocument } from './mapping-document.ts';

/** A message to try. */
export interface TriedMessage {
  topic: string;
  payload: Uint8Array;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** What a message becomes by a mapping. Nothing is stored. */
export interface MappedMessage {
  /** Whether an entry of the mapping has this topic. */
  isMapped: boolean;
  readings: (Reading & { device: string })[];
  refusals: Refusal[];
}

/** The limits of readings of any time: whether a reading is too old depends on the settings of a service. */
const anyTime = { maxAgeMs: Infinity, maxAheadMs: Infinity };
const options = { deviceIds: 'distinct', timeZone: 'UTC', tasmotaMainSensors: [] } as const;

/** Decodes and checks a message as ingestion does, with this mapping alone. */
export async function tryMapping(
  mapping: MappingDocument,
  { topic, payload, receivedAt }: TriedMessage,
): Promise<MappedMessage> {
  const kind = mappingDecoder(mapping);
  // As filters of the user: a message that the mapping does not take is refused with its reason.
  const filters = kind.defaultFilters.map((text) => topicFilter(text));
  const route = routeOf(createDecoders([{ kind, filters }], options), topic);
  if (route === undefined) return { isMapped: false, readings: [], refusals: [] };
  try {
    const decoded = await decodeMessage(route, payload, { receivedAt });
    return { isMapped: true, ...checked(decoded, receivedAt) };
  } catch (error) {
    return { isMapped: true, readings: [], refusals: [toRefusal(error)] };
  }
}

function checked(decoded: Decoded, receivedAt: number): Omit<MappedMessage, 'isMapped'> {
  const all = [decoded, ...(decoded.others ?? [])].map(({ device, drafts }) => {
    const { readings, refusals } = checkFewReadings({ drafts, receivedAt }, anyTime, {});
    return {
      readings: readings.map((reading) => ({ device, ...reading })),
      refusals: refusals?.all ?? [],
    };
  });
  return {
    readings: all.flatMap(({ readings }) => readings),
    refusals: all.flatMap(({ refusals }) => refusals),
  };
}
