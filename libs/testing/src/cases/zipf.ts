/**
 * Draws ranks from 0 by Zipf's law with s = 1: the first twice as often as the second, three times
 * as often as the third.
 */
export function zipf(ranks: number, random: () => number): () => number {
  const sums = new Float64Array(ranks);
  let sum = 0;
  for (let rank = 0; rank < ranks; rank++) sums[rank] = sum += 1 / (rank + 1);
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, ranks - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
