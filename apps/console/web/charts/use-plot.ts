import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { language } from '../i18n/language.ts';
import { isDark } from '../theme/theme.ts';
import { bindGestures } from './bind-gestures.ts';
import { createPlot } from './create-plot.ts';
import type { RefObject } from 'preact';
import type uPlot from 'uplot';
import type { RangeControl } from './bind-gestures.ts';
import type { Chart, TimeRange } from './chart.ts';

export interface PlotUse {
  chart: Chart;
  /** Of the plot with its axes, in CSS pixels. */
  width: number;
  control: RangeControl;
  /** Called with a range that was selected by dragging. */
  onZoom: (from: number, to: number) => void;
  onBack: () => void;
  /** Called with the position of each series' value at the cursor. */
  onCursor: (positions: readonly (number | null)[]) => void;
  onTap: (x: number) => void;
  /** Called after the plot was drawn again or moved. */
  onDrawn: () => void;
}

/** The plot in an element, drawn again when its data, its width, the language or the theme changes. */
export function usePlot(
  host: RefObject<HTMLDivElement | null>,
  plot: RefObject<uPlot | null>,
  use: PlotUse,
): void {
  const { chart, width, control } = use;
  const latest = useRef(use);
  latest.current = use;
  const view = (): TimeRange => control.view.peek() ?? latest.current.chart.range;
  const dark = isDark();
  const tag = language.value;
  useEffect(() => {
    if (host.current === null || width <= 0) return undefined;
    const cursor = cursorOf(plot.current);
    plot.current?.destroy();
    latest.current.onCursor([]);
    const created = createPlot(host.current, chart, {
      width,
      language: tag,
      isDark: dark,
      view,
      onCursor: (positions) => latest.current.onCursor(positions),
      onSelect: (from, to) => latest.current.onZoom(from, to),
      onDoubleClick: () => latest.current.onBack(),
    });
    plot.current = created;
    // uPlot draws in a microtask: positions are known after it.
    queueMicrotask(() => {
      if (plot.current !== created) return;
      if (cursor !== undefined) created.setCursor(cursor);
      latest.current.onDrawn();
    });
    return undefined;
  }, [chart, width, dark, tag]);
  useEffect(() => () => plot.current?.destroy(), []);
  useEffect(() => followView(control, plot, () => latest.current.onDrawn()), [control, plot]);
  useEffect(() => {
    if (host.current === null) return undefined;
    return bindGestures({
      host: host.current,
      plot: () => plot.current ?? undefined,
      range: view,
      control,
      onTap: (x) => latest.current.onTap(x),
    });
  }, [control]);
}

/** Where the mouse is: it does not move while a plot is replaced under it. */
function cursorOf(plot: uPlot | null): { left: number; top: number } | undefined {
  const { left = -1, top = -1 } = plot?.cursor ?? {};
  return left < 0 ? undefined : { left, top };
}

/** Shifts the points that are there, at most once per frame. */
function followView({ view }: RangeControl, plot: RefObject<uPlot | null>, onMoved: () => void) {
  let frame: number | undefined;
  const end = effect(() => {
    if (view.value === undefined) return;
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      const range = view.peek();
      if (range === undefined || plot.current === null) return;
      plot.current.setScale('x', { min: range.from, max: range.to });
      queueMicrotask(onMoved);
    });
  });
  return () => {
    end();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}
