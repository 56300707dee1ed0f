/**
 * Delta debugging (Zeller and Hildebrandt, 2002) with complements only: removes halves, then
 * quarters and so on down to single parts, from the end, as long as the remaining parts still fail.
 * Finding k of n parts takes about 2·k·log2(n) tests.
 *
 * @param parts a failing set of parts
 * @param fails whether a subset fails; may return false to save time, which makes the result larger
 * @returns a failing subset from which no single part can be removed
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

/** Removes each run of `size` parts without which the remaining parts still fail. */
async function withoutRuns<Part>(
  parts: readonly Part[],
  size: number,
  fails: (kept: readonly Part[]) => Promise<boolean>,
): Promise<readonly Part[]> {
  let kept = parts;
  for (let end = parts.length; end > 0; end -= size) {
    const rest = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)];
    // The empty set was tested before.
    if (rest.length > 0 && (await fails(rest))) kept = rest;
  }
  return kept;
}
