/**
 * Delta debugging (Zeller and Hildebrandt, 2002, "ddmin"): leaves out larger and smaller runs of the parts as long as the rest
 * still fails.
 *
 * @param parts of which all together fail
 * @param fails whether these parts fail, in the order of `parts`; where it answers no to save time, the result is larger
 * @returns parts that fail, of which none can be left out alone
 */
export async function minimize<Part>(
  parts: readonly Part[],
  fails: (kept: readonly Part[]) => Promise<boolean>,
): Promise<readonly Part[]> {
  if (parts.length === 0 || (await fails([]))) return [];
  let kept = parts;
  let runs = 2;
  while (kept.length > 1) {
    const smaller = await firstThatFails(candidates(kept, Math.min(runs, kept.length)), fails);
    if (smaller !== undefined) {
      runs = smaller.runs;
      kept = smaller.kept;
    } else if (runs >= kept.length) break;
    else runs *= 2;
  }
  return kept;
}

interface Candidate<Part> {
  kept: readonly Part[];
  /** Into how many runs it is split next, where it fails. */
  runs: number;
}

/** Each run alone, and all but each run. */
function candidates<Part>(parts: readonly Part[], runs: number): Candidate<Part>[] {
  const bounds = Array.from({ length: runs + 1 }, (_, index) =>
    Math.round((index * parts.length) / runs),
  );
  const ranges = bounds.slice(1).map((end, index) => ({ start: bounds[index] ?? 0, end }));
  const alone = ranges.map(({ start, end }) => ({ kept: parts.slice(start, end), runs: 2 }));
  // Of two runs, each is all but the other.
  if (runs === 2) return alone;
  const without = ranges.map(({ start, end }) => ({
    kept: [...parts.slice(0, start), ...parts.slice(end)],
    runs: Math.max(runs - 1, 2),
  }));
  return [...alone, ...without];
}

async function firstThatFails<Part>(
  all: readonly Candidate<Part>[],
  fails: (kept: readonly Part[]) => Promise<boolean>,
): Promise<Candidate<Part> | undefined> {
  for (const candidate of all) if (await fails(candidate.kept)) return candidate;
  return undefined;
}
