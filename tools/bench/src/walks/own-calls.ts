/** Of Profiler.takePreciseCoverage: https://chromedevtools.github.io/devtools-protocol/v8/Profiler/ */
export interface ScriptCoverage {
  url: string;
  functions: readonly { ranges: readonly { startOffset: number; count: number }[] }[];
}

/** Calls of each own function, by the file and the position of the function. */
export type Calls = ReadonlyMap<string, number>;

/** Calls of the functions in apps and libs of a checkout. @param root its address, `file:` and ending with a slash */
export function ownCalls(scripts: readonly ScriptCoverage[], root: string): Calls {
  const calls = new Map<string, number>();
  for (const { url, functions } of scripts) {
    if (!url.startsWith(root)) continue;
    const file = url.slice(root.length);
    if (!/^(apps|libs)\//.test(file)) continue;
    for (const { ranges } of functions) {
      // The first range is the function, others are its blocks.
      const [whole] = ranges;
      if (whole === undefined || whole.count === 0) continue;
      const name = `${file}:${whole.startOffset}`;
      calls.set(name, (calls.get(name) ?? 0) + whole.count);
    }
  }
  return calls;
}

export interface Walk {
  calls: number;
  /** Files whose functions are called. */
  files: number;
}

/** A walk without what the service also does when nobody asks anything. */
export function walkOf(calls: Calls, atRest: Calls): Walk {
  const files = new Set<string>();
  let sum = 0;
  for (const [name, count] of calls) {
    const own = count - (atRest.get(name) ?? 0);
    if (own <= 0) continue;
    sum += own;
    files.add(name.slice(0, name.lastIndexOf(':')));
  }
  return { calls: sum, files: files.size };
}
