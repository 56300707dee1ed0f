/** Prints each step and its duration; for long steps a line every ten seconds. */
export async function step<Result>(
  title: string,
  work: () => Promise<Result>,
  print: (line: string) => void,
): Promise<Result> {
  const began = performance.now();
  const seconds = (): string => ((performance.now() - began) / 1000).toFixed(1);
  print(`${title} …`);
  const timer = setInterval(() => print(`  still ${title} (${seconds()} s)`), 10_000);
  try {
    const result = await work();
    print(`  done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
