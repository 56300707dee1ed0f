type Progress = number | string;

const intervalMs = 10_000;

/** Prints changed progress at most once in ten seconds, for waits of minutes. @returns the same progress */
export function announcedProgress<P extends Progress>(
  what: string,
  progress: () => P | Promise<P>,
  print: (line: string) => void = (line) => process.stdout.write(line),
): () => Promise<P> {
  let printed: P | undefined;
  let printedAt = performance.now();
  return async () => {
    const current = await progress();
    const now = performance.now();
    if (current !== printed && now - printedAt >= intervalMs) {
      print(`${what}: ${current}\n`);
      [printed, printedAt] = [current, now];
    }
    return current;
  };
}
