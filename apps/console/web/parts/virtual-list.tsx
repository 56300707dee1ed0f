import {
  Virtualizer,
  observeWindowOffset,
  observeWindowRect,
  windowScroll,
} from '@tanstack/virtual-core';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

interface VirtualListProps {
  count: number;
  /** Height of a row in pixels. */
  heightOf: (index: number) => number;
  keyOf: (index: number) => string;
  row: (index: number) => ComponentChildren;
  /** Called with the first and last row in view. */
  onRange?: (first: number, last: number) => void;
  label: string;
  /** The row to scroll to, once for each value: `keyOf` one of the rows. */
  scrollTo?: string | undefined;
}

/** A list that scrolls with the window and draws only the rows in view, so that thousands of rows stay fast. */
export function VirtualList(props: VirtualListProps) {
  const { count, heightOf, keyOf, row, onRange, label, scrollTo } = props;
  const { element, list, top } = useVirtualizer({ count, heightOf, keyOf });
  const items = list.getVirtualItems();
  // Not the rows around the view, which are drawn as well.
  const first = list.range?.startIndex ?? 0;
  const last = list.range?.endIndex ?? -1;
  useEffect(() => onRange?.(first, last), [first, last, count]);
  const scrolledTo = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (scrollTo === undefined || scrolledTo.current === scrollTo) return;
    const index = Array.from({ length: count }, (_, at) => keyOf(at)).indexOf(scrollTo);
    if (index < 0) return; // its row has not been loaded yet
    scrolledTo.current = scrollTo;
    list.scrollToIndex(index, { align: 'start' });
  });
  return (
    <div
      ref={element}
      class="virtual-list"
      role="list"
      aria-label={label}
      style={{ height: `${list.getTotalSize()}px` }}
    >
      {items.map((item) => (
        <div
          key={item.key}
          role="listitem"
          class="virtual-row"
          style={{ height: `${item.size}px`, transform: `translateY(${item.start - top}px)` }}
        >
          {row(item.index)}
        </div>
      ))}
    </div>
  );
}

/** A virtualizer of the window, which draws the component again when the range of rows changes. */
function useVirtualizer({
  count,
  heightOf,
  keyOf,
}: Pick<VirtualListProps, 'count' | 'heightOf' | 'keyOf'>) {
  const element = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const [top, setTop] = useState(0);
  const options = {
    count,
    estimateSize: heightOf,
    getItemKey: keyOf,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => window.scrollY,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    scrollMargin: top,
    overscan: 8,
    onChange: () => redraw(undefined),
  };
  const [list] = useState(() => new Virtualizer<Window, HTMLElement>(options));
  list.setOptions(options);
  useEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  useLayoutEffect(() => {
    const offset = Math.round((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    if (offset !== top) setTop(offset);
  });
  // Heights change with the width of the window and with the rows.
  const heights = Array.from({ length: count }, (_, index) => heightOf(index)).join();
  useLayoutEffect(() => list.measure(), [list, heights]);
  return { element, list, top };
}
