/** An MQTT topic filter, parsed once. */
export interface TopicFilter {
  text: string;
  levels: readonly string[];
  /** Of the brand, not configured by the user: the decoder takes only payloads that prove the brand. */
  isDefault: boolean;
}

/** Maximum bytes of a string in MQTT ([MQTT-4.7.3-3]). */
const maxFilterBytes = 65_535;

/** @throws RangeError when the filter is invalid (MQTT 5, 4.7 "Topic Names and Topic Filters") */
export function topicFilter(text: string, isDefault = false): TopicFilter {
  const levels = text.split('/');
  const problem = problemOf(text, levels);
  if (problem !== undefined) throw new RangeError(`${JSON.stringify(text)} ${problem}`);
  return { text, levels, isDefault };
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

/**
 * The device's name: the levels that the filter's wildcards match, without the last `dropped` levels; if the filter has
 * no wildcard before those, the whole topic before them. So a device keeps its name with any base topic.
 */
export function deviceOf(
  { filter, levels }: { filter: TopicFilter; levels: readonly string[] },
  dropped = 0,
): string {
  const kept = levels.slice(0, levels.length - dropped);
  const open = filter.levels.indexOf('#');
  const matched = kept.filter(
    (_, index) => filter.levels[index] === '+' || (open >= 0 && index >= open),
  );
  return (matched.length > 0 ? matched : kept).join('/');
}
