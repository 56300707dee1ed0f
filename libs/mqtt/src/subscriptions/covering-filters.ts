/**
 * Removes filters that another filter covers: a broker may deliver a message once for each matching subscription
 * [MQTT-3.3.4-2]. Filters that overlap only partly are kept.
 */
export function withoutCovered(filters: readonly string[]): string[] {
  const unique = [...new Set(filters)];
  return unique.filter(
    (filter) => !unique.some((other) => other !== filter && covers(other, filter)),
  );
}

/** Whether `wide` matches every topic that `narrow` matches (MQTT 5, 4.7). */
export function covers(wide: string, narrow: string): boolean {
  const wideLevels = wide.split('/');
  const narrowLevels = narrow.split('/');
  // A leading wildcard does not match topics that begin with $ [MQTT-4.7.2-1].
  if (narrow.startsWith('$') && /^[+#]/.test(wide)) return false;
  const isOpen = wideLevels.at(-1) === '#';
  const fixed = isOpen ? wideLevels.slice(0, -1) : wideLevels;
  if (isOpen ? narrowLevels.length < fixed.length : narrowLevels.length !== fixed.length) {
    return false;
  }
  return fixed.every((level, index) => {
    const other = narrowLevels[index];
    return level === '+' ? other !== '#' : level === other;
  });
}
