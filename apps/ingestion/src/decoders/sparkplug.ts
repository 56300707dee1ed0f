import { addressOf, birthFilters, edgeNodeOf, namespace } from './sparkplug/address.ts';
import { SparkplugDecoder } from './sparkplug/sparkplug-decoder.ts';
import { basePrefix } from './topic-filter.ts';
import { ignored } from './decoder.ts';
import type { Decode, DecoderKind } from './decoder.ts';
import type { MatchedTopic } from './topic-filter.ts';

/** Sparkplug B: nodes, devices, births, data and deaths. */
export const sparkplug: DecoderKind = {
  name: 'sparkplug',
  defaultFilters: [`${namespace}/+/+/+`, `${namespace}/+/+/+/+`],
  unshared: birthFilters,
  partitionKey: edgeNodeOf,
  create: (options): Decode => {
    const decoder = new SparkplugDecoder(options);
    // The nodes of two sites may have equal names: their births must not explain each other's data.
    const prefixOf = ({ filter, levels }: MatchedTopic): string => {
      if (options.deviceIds === 'short') return '';
      return basePrefix({ filter, levels: levels.slice(0, levels.indexOf(namespace)) });
    };
    const decode: Decode = ({ filter, levels, ...source }) => {
      const address = addressOf(levels, prefixOf({ filter, levels }));
      return address === undefined ? ignored() : decoder.decode(address, source);
    };
    decode.missed = (topic) => decoder.missed(topic.levels, prefixOf(topic));
    decode.reconnected = () => decoder.reconnected();
    decode.tableReplaced = () => decoder.tableReplaced();
    return decode;
  },
};
