import { Rejection } from '../refusals/rejection.ts';
import { addressOf, birthFilters, deviceIdOf, edgeNodeOf, namespace } from './sparkplug/address.ts';
import { SparkplugDecoder } from './sparkplug/sparkplug-decoder.ts';
import { basePrefix } from './topic-filter.ts';
import { ignored } from './decoder.ts';
import type { Decode, DecoderKind, DeviceIdOptions } from './decoder.ts';
import type { MatchedTopic } from './topic-filter.ts';

/** Sparkplug B: nodes, devices, births, data and deaths. */
export const sparkplug: DecoderKind = {
  name: 'sparkplug',
  defaultFilters: [`${namespace}/+/+/+`, `${namespace}/+/+/+/+`],
  unshared: birthFilters,
  partitionKey: edgeNodeOf,
  deviceOf: (topic, options) => {
    try {
      const address = addressOf(topic.levels, sitePrefix(topic, options));
      return address && deviceIdOf(address.node, address.device);
    } catch (error) {
      if (error instanceof Rejection) return undefined;
      throw error;
    }
  },
  create: (options): Decode => {
    const decoder = new SparkplugDecoder(options);
    const prefixOf = (topic: MatchedTopic) => sitePrefix(topic, options);
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

/** The nodes of two sites may have equal names: their births must not explain each other's data. */
function sitePrefix({ filter, levels }: MatchedTopic, { deviceIds }: DeviceIdOptions): string {
  if (deviceIds === 'short') return '';
  return basePrefix({ filter, levels: levels.slice(0, levels.indexOf(namespace)) });
}
