import { PointerTracker } from './pointer-tracker.ts';
import { wheelMove } from './wheel-move.ts';
import type uPlot from 'uplot';
import type { TimeRange } from './chart.ts';
import type { RangeMove } from './move-range.ts';

/** How charts change the range that they show. All charts of a page share one. */
export interface RangeControl {
  /** The range that is shown at this moment. undefined: that of the data. */
  readonly view: { value: TimeRange | undefined; peek: () => TimeRange | undefined };
  /** Shows a moved range. @param start the range that the movement is relative to */
  move: (start: TimeRange, move: RangeMove) => void;
  /** The gesture is over: a later movement is a step of its own. */
  end: () => void;
  /** The gesture is over if no other movement follows soon: a wheel has no end. */
  endSoon: () => void;
  /** The gesture was taken back, as when a finger scrolls the page. */
  cancel: () => void;
}

interface Gestures {
  host: HTMLElement;
  /** The plot in the host; it is replaced when its data changes. */
  plot: () => uPlot | undefined;
  range: () => TimeRange;
  control: RangeControl;
  /** @param x in CSS pixels from the left edge of the plot */
  onTap: (x: number) => void;
}

/**
 * Wheel, mouse and touch on a plot. Listeners are on the host, and so is the pointer's capture: the plot may be
 * replaced during a gesture. @returns removes the listeners
 */
export function bindGestures(gestures: Gestures): () => void {
  const ended = new AbortController();
  bindWheel(gestures, ended.signal);
  const tracker = bindPointers(gestures, ended.signal);
  return () => {
    ended.abort();
    if (tracker.count > 0) gestures.control.end();
  };
}

function bindWheel({ host, plot, range, control }: Gestures, signal: AbortSignal): void {
  const onWheel = (event: WheelEvent): void => {
    const box = boxOf(plot());
    if (box === undefined || event.buttons !== 0) return;
    const position = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const move = wheelMove(event, position, box.width);
    if (move === undefined) return;
    event.preventDefault();
    control.move(range(), move);
    control.endSoon();
  };
  host.addEventListener('wheel', onWheel, { signal, passive: false });
}

function bindPointers({ host, plot, range, control, onTap }: Gestures, signal: AbortSignal) {
  const tracker = new PointerTracker();
  let start = range();
  const contactOf = ({ clientX, clientY }: PointerEvent) => {
    const box = boxOf(plot());
    return { x: clientX - (box?.left ?? 0), y: clientY, width: box?.width ?? 1 };
  };
  host.addEventListener(
    'pointerdown',
    (event) => {
      if (!pansOrTouches(event) || !isOnPlot(event, plot())) return;
      // Without this, uPlot would select a range with the mouse events that follow.
      event.preventDefault();
      host.setPointerCapture(event.pointerId);
      tracker.down(event.pointerId, contactOf(event));
      start = range();
    },
    { signal },
  );
  host.addEventListener(
    'pointermove',
    (event) => {
      const { width, ...contact } = contactOf(event);
      const move = tracker.move(event.pointerId, contact, width);
      if (move !== undefined) control.move(start, move);
    },
    { signal },
  );
  host.addEventListener(
    'pointerup',
    (event) => {
      if (!tracker.has(event.pointerId)) return;
      tracker.up(event.pointerId);
      start = range();
      if (tracker.count > 0) return;
      if (tracker.hasMoved) control.end();
      else if (event.pointerType !== 'mouse') onTap(contactOf(event).x);
    },
    { signal },
  );
  const onCancel = ({ pointerId }: PointerEvent): void => {
    if (!tracker.has(pointerId)) return;
    tracker.clear();
    if (tracker.hasMoved) control.cancel();
  };
  host.addEventListener('pointercancel', onCancel, { signal });
  keepTouches(host, tracker, signal);
  return tracker;
}

/** `touch-action: pan-y` lets the browser scroll with two fingers too: they are for zooming here. */
function keepTouches(host: HTMLElement, tracker: PointerTracker, signal: AbortSignal): void {
  host.addEventListener(
    'touchmove',
    (event) => {
      if (event.cancelable && (event.touches.length > 1 || tracker.hasMoved))
        event.preventDefault();
    },
    { signal, passive: false },
  );
  // The middle button would start scrolling.
  host.addEventListener('mousedown', (event) => event.button === 1 && event.preventDefault(), {
    signal,
  });
}

function pansOrTouches({ pointerType, button, shiftKey }: PointerEvent): boolean {
  return pointerType !== 'mouse' || button === 1 || (button === 0 && shiftKey);
}

function isOnPlot({ target }: PointerEvent, plot: uPlot | undefined): boolean {
  return plot !== undefined && target instanceof Node && plot.over.contains(target);
}

/** Where the plot without its axes is in the window. */
function boxOf(plot: uPlot | undefined): DOMRect | undefined {
  const box = plot?.over.getBoundingClientRect();
  return box === undefined || box.width === 0 ? undefined : box;
}
