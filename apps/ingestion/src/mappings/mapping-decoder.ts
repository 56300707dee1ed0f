import { ignored, unproven } from '../decoders/decoder.ts';
import { Rejection } from '../refusals/rejection.ts';
import { MessageMapping } from './message-mapping.ts';
import type { Decoded, DecoderKind } from '../decoders/decoder.ts';
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
      const matched = matchedMapping(mappings, topic);
      return matched?.mapping.deviceOf(matched.levels);
    },
    create: () => (source) => {
      const matched = matchedMapping(mappings, source);
      if (matched === undefined || matched.mapping.isIgnored) return ignored();
      if (source.payload.length === 0) return ignored();
      try {
        const { mapping, levels } = matched;
        return decodedOf(mapping.read(levels, source.payload, source.receivedAt));
      } catch (error) {
        if (error instanceof Rejection && source.filter.isDefault) return unproven();
        throw error;
      }
    },
  };
}

/** The first mapping whose template is the topic, or the end of a topic that the user has configured. */
function matchedMapping(
  mappings: readonly MessageMapping[],
  { filter, levels }: MatchedTopic,
): MatchedMapping | undefined {
  const offsets = filter.isDefault ? 1 : levels.length;
  for (const mapping of mappings) {
    for (let offset = 0; offset < offsets; offset += 1) {
      const captured = mapping.topic.match(levels, offset);
      if (captured !== undefined) return { mapping, levels: captured };
    }
  }
  return undefined;
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
