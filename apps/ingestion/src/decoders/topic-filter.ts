/** An MQTT topic filter, parsed once. */
export interface TopicFilter {
  text: string;
  levels: readonly string[];
  /** Of the brand, not configured by the user: the decoder takes only payloads that prove the brand. */
  isDefault: boolean;
  /** Indexes of levels that are part of a device's id although no wildcard matches them. */
  identifying: ReadonlySet<number>;
}

const none: ReadonlySet<number> = new Set();

/** Maximum bytes of a string in MQTT ([MQTT-4.7.3-3]). */
const maxFilterBytes = 65_535;

/** @throws RangeError when the filter is invalid (MQTT 5, 4.7 "Topic Names and Topic Filters") */
export function topicFilter(text: string, isDefault = false): TopicFilter {
  const levels = text.split('/');
  const problem = problemOf(text, levels);
  if (problem !== undefined) throw new RangeError(`${JSON.stringify(text)} ${problem}`);
  return { text, levels, isDefault, identifying: none };
}

/**
 * The filters of one decoder, with ids of devices that also distinguish the filters: a level counts in which a
 * configured filter differs from another filter. With `tower-a/#` and `tower-b/#`, `lamp` is `tower-a/lamp` or
 * `tower-b/lamp`. Ids by default filters do not change: their levels are those of the brand.
 */
export function distinguished(filters: readonly TopicFilter[]): TopicFilter[] {
  return filters.map((filter) => {
    if (filter.isDefault) return filter;
    const differs = (index: number) =>
      filters.some(({ levels }) => levels[index] !== filter.levels[index]);
    return { ...filter, identifying: new Set([...filter.levels.keys()].filter(differs)) };
  });
}

function problemOf(text: string, levels: readonly string[]): string | undefined {
  if (text === '') return 'is empty';
  if (Buffer.byteLength(text) > maxFilterBytes) return `has more than ${maxFilterBytes} bytes`;
  if (text.includes('\0') || !text.isWellFormed())
    return 'has a character that MQTT does not allow';
  if (levels[0] === '$share') return 'must be without $share: MQTT_GROUP shares it';
  if (levels.slice(0, -1).includes('#')) return 'has a # that is not its last level';
  const mixed = levels.some((level) => /[+#]/.test(level) && level.length > 1);
  return mixed ? 'has a wildcard that is not a level of its own' : undefined;
}

/** `#` also matches no level; a wildcard at the beginning does not match `$…` ([MQTT-4.7.2-1]). */
export function matches({ levels: wanted }: TopicFilter, levels: readonly string[]): boolean {
  const open = wanted.at(-1) === '#';
  const fixed = open ? wanted.length - 1 : wanted.length;
  if (open ? levels.length < fixed : levels.length !== fixed) return false;
  if (levels[0]?.startsWith('$') === true && (wanted[0] === '+' || wanted[0] === '#')) return false;
  for (let index = 0; index < fixed; index += 1) {
    if (wanted[index] !== '+' && wanted[index] !== levels[index]) return false;
  }
  return true;
}

/** A topic with the filter that it matched. */
export interface MatchedTopic {
  filter: TopicFilter;
  levels: readonly string[];
}

/**
 * The device's name: the levels that the filter's wildcards match, without the last `dropped` levels, and those that
 * distinguish the filter from others; if the filter has no wildcard before those, the whole topic before them. So a
 * device keeps its name with any base topic.
 */
export function deviceOf({ filter, levels }: MatchedTopic, dropped = 0): string {
  const kept = levels.slice(0, levels.length - dropped);
  const isNamed = kept.some((_, index) => isMatched(filter, index));
  return (isNamed ? identifyingLevels({ filter, levels: kept }) : kept).join('/');
}

/** The beginning of ids below a base topic: its identifying levels, each with a slash; often empty. */
export function basePrefix({ filter, levels }: MatchedTopic): string {
  return identifyingLevels({ filter, levels })
    .map((level) => `${level}/`)
    .join('');
}

function identifyingLevels({ filter, levels }: MatchedTopic): string[] {
  return levels.filter((_, index) => isMatched(filter, index) || filter.identifying.has(index));
}

/** Whether a wildcard of the filter matches the level. */
function isMatched({ levels }: TopicFilter, index: number): boolean {
  return levels[index] === '+' || (levels.at(-1) === '#' && index >= levels.length - 1);
}
