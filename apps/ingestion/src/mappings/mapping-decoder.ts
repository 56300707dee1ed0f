import { ignored, unproven } from '../decoders/decoder.ts';
import { Rejection } from '../refusals/rejection.ts';
import { MessageMapping } from './message-mapping.ts';
import type { Decoded, DecoderKind, Source } from '../decoders/decoder.ts';
import type { MatchedTopic } from '../decoders/topic-filter.ts';
import type { MappingDocument } from './mapping-document.ts';
import type { MappedReading } from './message-mapping.ts';
import type { Captured } from './topic-template.ts';

interface MatchedMapping {
  mapping: MessageMapping;
  levels: Captured;
}

/**
 * The decoder that a mapping describes.
 * @throws RangeError for a path, a template or a time zone that is none
 */
export function mappingDecoder(document: MappingDocument): DecoderKind {
  const mappings = document.messages.map((rule) => new MessageMapping(rule));
  const taken = mappings.filter(({ isIgnored }) => !isIgnored);
  return {
    name: document.mapping,
    defaultFilters: [...new Set(taken.map(({ topic }) => topic.filter))],
    deviceOf: (topic) => {
      const [first] = matching(mappings, topic);
      return first?.mapping.deviceOf(first.levels);
    },
    create: () => (source) => decode(matching(mappings, source), source),
  };
}

/**
 * With the first mapping whose required values the payload has.
 * @throws Rejection for another payload on a topic that the user has configured
 */
function decode(candidates: readonly MatchedMapping[], source: Source): Decoded {
  const { payload, receivedAt, filter } = source;
  if (payload.length === 0) return ignored();
  try {
    for (const { mapping, levels } of candidates) {
      if (mapping.isIgnored) return ignored();
      const parsed = mapping.parse(payload);
      if (mapping.accepts(parsed)) return decodedOf(mapping.read(levels, parsed, receivedAt));
    }
    throw new Rejection('payload-unrecognized');
  } catch (error) {
    if (error instanceof Rejection && filter.isDefault) return unproven();
    throw error;
  }
}

/** The mappings whose template is the topic, or the end of a topic that the user has configured. */
function matching(
  mappings: readonly MessageMapping[],
  { filter, levels }: MatchedTopic,
): MatchedMapping[] {
  const offsets = filter.isDefault ? 1 : levels.length;
  return mappings.flatMap((mapping) => {
    for (let offset = 0; offset < offsets; offset += 1) {
      const captured = mapping.topic.match(levels, offset);
      if (captured !== undefined) return [{ mapping, levels: captured }];
    }
    return [];
  });
}

function decodedOf(readings: readonly MappedReading[]): Decoded {
  const byDevice = Map.groupBy(readings, ({ device }) => device);
  const [first, ...others] = [...byDevice].map(([device, those]): Decoded => {
    const drafts = those.map(({ draft }) => draft);
    return { device, drafts, isBatched: drafts.length > 1 };
  });
  if (first === undefined) return ignored();
  return others.length === 0 ? first : { ...first, others };
}
