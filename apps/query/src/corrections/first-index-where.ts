/**
 * The index of the first element for which the condition holds, which then holds for all later ones; the length of the
 * list where it holds for none.
 */
export function firstIndexWhere<Element>(
  list: readonly Element[],
  holds: (element: Element) => boolean,
): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const element = list[middle];
    if (element === undefined || holds(element)) high = middle;
    else low = middle + 1;
  }
  return low;
}
