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
  /** The row at the top, `keyOf` one of the rows, until the user scrolls. */
  scrollTo?: string | undefined;
}

/** A list that scrolls with the window and draws only the rows in view, so that thousands of rows stay fast. */
export function VirtualList(props: VirtualListProps) {
  const { count, heightOf, keyOf, row, onRange, label, scrollTo } = props;
  const { element, list, top, layout } = useVirtualizer({ count, heightOf, keyOf });
  const items = list.getVirtualItems();
  // Not the rows around the view, which are drawn as well.
  const first = list.range?.startIndex ?? 0;
  const last = list.range?.endIndex ?? -1;
  useEffect(() => onRange?.(first, last), [first, last, count]);
  useScrollTo({ list, row: scrollTo, count, keyOf, layout });
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
  return { element, list, top, layout: `${top} ${heights}` };
}

interface ScrollToOptions extends Pick<VirtualListProps, 'count' | 'keyOf'> {
  list: Virtualizer<Window, HTMLElement>;
  row: string | undefined;
  /** Changes with the heights of rows. */
  layout: string;
}

/** Scrolls to a row, and again when rows above it get other heights, until the user scrolls. */
function useScrollTo({ list, row, count, keyOf, layout }: ScrollToOptions): void {
  const left = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (row === undefined) return undefined;
    left.current = undefined;
    const controller = new AbortController();
    const leave = (): void => {
      left.current = row;
      controller.abort();
    };
    for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      addEventListener(event, leave, { passive: true, signal: controller.signal });
    }
    return () => controller.abort();
  }, [row]);
  useEffect(() => {
    if (row === undefined || left.current === row) return;
    const index = Array.from({ length: count }, (_, at) => keyOf(at)).indexOf(row);
    if (index >= 0) list.scrollToIndex(index, { align: 'start' });
  }, [row, layout]);
}
