/**
 * Delta debugging (Zeller and Hildebrandt, 2002), with complements alone: leaves out halves, then
 * quarters and so on up to single parts, the last ones first, as long as the rest still fails. For
 * k of n parts that is some 2·k·log2(n) tests.
 *
 * @param parts of which all together fail
 * @param fails whether these parts fail, in the order of `parts`; where it answers no to save time,
 * the result is larger
 * @returns parts that fail, of which none can be left out alone
 */
export async function minimize<Part>(
  parts: readonly Part[],
  fails: (kept: readonly Part[]) => Promise<boolean>,
): Promise<readonly Part[]> {
  if (parts.length === 0 || (await fails([]))) return [];
  let kept = parts;
  for (let size = Math.ceil(parts.length / 2); ; size = Math.ceil(size / 2)) {
    const before = kept.length;
    kept = await withoutRuns(kept, size, fails);
    if (size === 1 && kept.length === before) return kept;
  }
}

/** Leaves out each run of so many parts that is not needed. */
async function withoutRuns<Part>(
  parts: readonly Part[],
  size: number,
  fails: (kept: readonly Part[]) => Promise<boolean>,
): Promise<readonly Part[]> {
  let kept = parts;
  for (let end = parts.length; end > 0; end -= size) {
    const rest = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)];
    // That nothing is left has been tried.
    if (rest.length > 0 && (await fails(rest))) kept = rest;
  }
  return kept;
}
