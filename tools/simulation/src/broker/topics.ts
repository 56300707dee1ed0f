/** A valid topic filter, parsed. */
export interface TopicFilter {
  /** The filter of the SUBSCRIBE packet, which is the subscription's key. */
  readonly text: string;
  /** Name of the group of a shared subscription [MQTT 5, 4.8.2]; undefined for others. */
  readonly group: string | undefined;
  /** The levels to match, without `$share` and the group's name. */
  readonly levels: readonly string[];
}

const maxBytes = 65_535;

/** @returns undefined if the filter is invalid [MQTT-4.7.1-1, -2, -3; MQTT-4.7.3-1, -2; MQTT-4.8.2-1, -2] */
export function parseTopicFilter(text: string): TopicFilter | undefined {
  if (!isText(text)) return undefined;
  let levels = text.split('/');
  let group: string | undefined;
  if (levels[0] === '$share') {
    group = levels[1];
    levels = levels.slice(2);
    if (group === undefined || group === '' || /[+#]/.test(group)) return undefined;
    if (levels.length === 0 || (levels.length === 1 && levels[0] === '')) return undefined;
  }
  const isValid = levels.every((level, index) => {
    if (level === '#') return index === levels.length - 1;
    return level === '+' || !/[+#]/.test(level);
  });
  return isValid ? { text, group, levels } : undefined;
}

/** Whether a topic may be published to: no wildcards [MQTT-3.3.2-2], not empty, no U+0000 [MQTT-4.7.3-1, -2]. */
export function isTopicName(topic: string): boolean {
  return isText(topic) && !/[+#]/.test(topic);
}

/** Orders filters that match the same topic, the most specific first; `#` is the least specific level. */
export function compareVagueness(one: readonly string[], other: readonly string[]): number {
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const difference = vagueness(one[index]) - vagueness(other[index]);
    if (difference !== 0) return difference;
  }
  return other.length - one.length;
}

function vagueness(level: string | undefined): number {
  return ['+', '#'].indexOf(level ?? '') + 1;
}

/** A filter that begins with a wildcard does not match topics that begin with $ [MQTT-4.7.2-1]. */
export function matchesTopic(filter: readonly string[], topic: readonly string[]): boolean {
  const first = filter[0];
  if ((first === '#' || first === '+') && topic[0]?.startsWith('$') === true) return false;
  for (let index = 0; index < filter.length; index++) {
    const level = filter[index];
    // # also matches its parent level [MQTT 4.7.1.2].
    if (level === '#') return true;
    if (index >= topic.length || (level !== '+' && level !== topic[index])) return false;
  }
  return filter.length === topic.length;
}

function isText(text: string): boolean {
  return text !== '' && !text.includes('\0') && Buffer.byteLength(text) <= maxBytes;
}
