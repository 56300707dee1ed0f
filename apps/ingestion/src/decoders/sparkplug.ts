import { addressOf, birthFilters, edgeNodeOf, namespace } from './sparkplug/address.ts';
import { SparkplugDecoder } from './sparkplug/sparkplug-decoder.ts';
import type { Decode, DecoderKind } from './decoder.ts';
import { ignored } from './decoder.ts';

/** Sparkplug B: nodes, devices, births, data and deaths. */
export const sparkplug: DecoderKind = {
  name: 'sparkplug',
  defaultFilters: [`${namespace}/+/+/+`, `${namespace}/+/+/+/+`],
  unshared: birthFilters,
  partitionKey: edgeNodeOf,
  create: (options): Decode => {
    const decoder = new SparkplugDecoder(options);
    const decode: Decode = ({ levels, ...source }) => {
      const address = addressOf(levels);
      return address === undefined ? ignored() : decoder.decode(address, source);
    };
    decode.missed = (levels) => decoder.missed(levels);
    decode.reconnected = () => decoder.reconnected();
    return decode;
  },
};
