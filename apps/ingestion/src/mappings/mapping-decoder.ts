import { ignored, unproven } from '../decoders/decoder.ts';
import { basePrefix } from '../decoders/topic-filter.ts';
import { Rejection } from '../refusals/rejection.ts';
import { inPart } from './document-part.ts';
import { maxBaseLevels, StepCount } from './mapping-limits.ts';
import { MessageMapping } from './message-mapping.ts';
import { PayloadForms } from './payload-forms.ts';
import type { Decoded, DecoderKind, Source } from '../decoders/decoder.ts';
import type { MatchedTopic } from '../decoders/topic-filter.ts';
import type { MappingDocument } from './mapping-document.ts';
import type { Captured } from './topic-template.ts';

/** A topic that an entry of a mapping takes. */
interface Match {
  levels: Captured;
  /** Beginning of the device id below a base topic; often empty. */
  prefix: string;
}

/**
 * The decoder that a mapping describes.
 * @throws InvalidPart for a path, a template or a time zone that is none
 */
export function mappingDecoder(document: MappingDocument): DecoderKind {
  const decoder = new MappingDecoder(document);
  return {
    name: document.mapping,
    defaultFilters: [...decoder.filters],
    deviceOf: (topic) => decoder.deviceOf(topic),
    create: () => (source) => decoder.decode(source),
  };
}

class MappingDecoder {
  readonly #mappings: readonly MessageMapping[];
  /** Of the messages that may have readings. */
  readonly filters: ReadonlySet<string>;

  constructor({ messages }: MappingDocument) {
    this.#mappings = messages.map((rule, index) =>
      inPart(['messages', index], () => new MessageMapping(rule)),
    );
    const taken = this.#mappings.filter(({ rule }) => rule.ignore !== true);
    this.filters = new Set(taken.map(({ topic }) => topic.filter));
  }

  /** The device that the topic alone names. */
  deviceOf(topic: MatchedTopic): string | undefined {
    for (const mapping of this.#mappings) {
      const match = this.#match(mapping, topic);
      if (match === undefined) continue;
      const device = mapping.deviceOf(match.levels, new StepCount());
      return device === undefined ? undefined : match.prefix + device;
    }
    return undefined;
  }

  /**
   * By the first entry whose required values the payload has.
   * @throws Rejection for another payload on a topic that the user has configured
   */
  decode(source: Source): Decoded {
    if (source.payload.length === 0) return ignored();
    try {
      return this.#decode(source);
    } catch (error) {
      const isOther = error instanceof Rejection && error.reason !== 'too_large';
      if (isOther && source.filter.isDefault) return unproven();
      throw error;
    }
  }

  #decode(source: Source): Decoded {
    const forms = new PayloadForms(source.payload);
    const count = new StepCount();
    for (const mapping of this.#mappings) {
      const match = this.#match(mapping, source);
      if (match === undefined) continue;
      if (mapping.rule.ignore === true) return ignored();
      const payload = forms.read(mapping.rule);
      if (!mapping.accepts(payload, count)) continue;
      const { levels, prefix } = match;
      return mapping
        .read({ levels, payload, receivedAt: source.receivedAt, count })
        .decoded(prefix);
    }
    throw new Rejection('payload-not-mapped');
  }

  /** A filter that is not of the mapping may have levels before those of the mapping: a base topic. */
  #match({ topic }: MessageMapping, { filter, levels }: MatchedTopic): Match | undefined {
    const captured = topic.match(levels, 0);
    if (captured !== undefined) return { levels: captured, prefix: '' };
    if (filter.isDefault || this.filters.has(filter.text)) return undefined;
    const last = Math.min(levels.length - topic.length, maxBaseLevels);
    const first = topic.hasRest ? 1 : levels.length - topic.length;
    for (let from = Math.max(first, 1); from <= last; from += 1) {
      const below = topic.match(levels, from);
      if (below === undefined) continue;
      return { levels: below, prefix: basePrefix({ filter, levels: levels.slice(0, from) }) };
    }
    return undefined;
  }
}
