import type { RangeMove } from './move-range.ts';

type WheelInput = Pick<
  WheelEvent,
  'deltaX' | 'deltaY' | 'deltaMode' | 'ctrlKey' | 'metaKey' | 'shiftKey'
>;

/** CSS pixels of a line, where a browser counts wheel steps in lines. */
const lineHeight = 20;
/** A pinch on a touchpad arrives as Ctrl and a wheel whose 100 pixels are a factor of e. */
const pixelsPerFactor = 100;
/** A step of a mouse wheel has 100 pixels or more; zooming by e at once would lose the reader's place. */
const maxZoomPixels = 30;

/**
 * The movement that a wheel event asks for: Ctrl zooms around the cursor; Shift, or a wheel that is more horizontal
 * than vertical, pans. undefined: the event scrolls the page.
 * @param position of the cursor, as a part of the plot's width
 * @param width of the plot in CSS pixels
 */
export function wheelMove(
  { deltaX, deltaY, deltaMode, ctrlKey, metaKey, shiftKey }: WheelInput,
  position: number,
  width: number,
): RangeMove | undefined {
  const pixels = [1, lineHeight, width][deltaMode] ?? 1;
  if (ctrlKey || metaKey) {
    const distance = Math.min(maxZoomPixels, Math.max(-maxZoomPixels, deltaY * pixels));
    if (distance === 0) return undefined;
    return { anchor: position, at: position, factor: Math.exp(distance / pixelsPerFactor) };
  }
  if (!shiftKey && Math.abs(deltaX) <= Math.abs(deltaY)) return undefined;
  // With Shift, some browsers report the wheel as horizontal, others as vertical.
  const distance = (Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : deltaY) * pixels;
  return distance === 0 ? undefined : { anchor: distance / width, at: 0, factor: 1 };
}
