import { mappedKinds } from '../mappings/shipped-mappings.ts';
import { echonet } from './echonet.ts';
import { native } from './native.ts';
import { shelly } from './shelly.ts';
import { smarthome } from './smarthome.ts';
import { sparkplug } from './sparkplug.ts';
import { statestream } from './statestream.ts';
import { tasmota } from './tasmota.ts';
import { distinguished, topicFilter } from './topic-filter.ts';
import { zigbee2mqtt } from './zigbee2mqtt.ts';
import type { Decoder, DecoderKind, DecoderOptions } from './decoder.ts';
import type { TopicFilter } from './topic-filter.ts';

/**
 * The decoders that are selected by default. To add one: a file like `native.ts`, and a line here. If filters of
 * several decoders match a topic, the first decoder is used whose brand the payload proves; so filters that begin with
 * a wildcard are last.
 */
export const decoderKinds: readonly DecoderKind[] = [
  native,
  zigbee2mqtt,
  tasmota,
  statestream,
  sparkplug,
  echonet,
  shelly,
  smarthome,
];

/** All decoders: those of mappings are selected by name. */
const allKinds: readonly DecoderKind[] = [...decoderKinds, ...mappedKinds];

/** A selected decoder with its topic filters. */
export interface DecoderChoice {
  kind: DecoderKind;
  filters: readonly TopicFilter[];
}

/**
 * Parses `name` or `name=filter`, comma-separated; a name that is given more than once has all of its filters.
 * @throws RangeError when a name or filter is invalid
 */
export function chooseDecoders(text: string): DecoderChoice[] {
  const chosen = new Map<DecoderKind, Map<string, TopicFilter>>();
  for (const part of text.split(',').map((spaced) => spaced.trim())) {
    const [name = ''] = part.split('=', 1);
    const kind = allKinds.find((candidate) => candidate.name === name);
    if (kind === undefined) {
      const names = allKinds.map((known) => known.name).join(', ');
      throw new RangeError(`${JSON.stringify(name)} is not a decoder; there are ${names}`);
    }
    const isDefault = part === name;
    const texts = isDefault ? kind.defaultFilters : [part.slice(name.length + 1)];
    const filters = chosen.get(kind) ?? new Map<string, TopicFilter>();
    for (const filter of texts.map((given) => topicFilter(given, isDefault))) {
      kind.unshared?.(filter); // throws if the filter does not suit the decoder
      // A filter that is also configured is not only a default one.
      if (!isDefault || !filters.has(filter.text)) filters.set(filter.text, filter);
    }
    chosen.set(kind, filters);
  }
  return [...chosen].map(([kind, filters]) => ({ kind, filters: [...filters.values()] }));
}

/** Creates the decoders of one process: they may have state. */
export function createDecoders(
  choices: readonly DecoderChoice[],
  options: DecoderOptions,
): Decoder[] {
  return choices.map(({ kind, filters }) => ({
    name: kind.name,
    filters: options.deviceIds === 'distinct' ? distinguished(filters) : filters,
    unshared: [...new Set(filters.flatMap((filter) => kind.unshared?.(filter) ?? []))],
    partitionKey: kind.partitionKey,
    deviceOf: (topic) => kind.deviceOf(topic, options),
    decode: kind.create(options),
  }));
}
