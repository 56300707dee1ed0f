import type uPlot from 'uplot';
import type { TimeRange } from './chart.ts';

interface BarSlot {
  buckets: readonly TimeRange[];
  /** Which of the bars of a bucket. */
  slot: number;
  slots: number;
}

/** A bucket's bars take this part of its width. */
const filledPart = 0.78;

/**
 * Draws a bar over its bucket's own time: a bucket that is cut by the range, or a day of 23 hours, has its own width.
 * Bars of several series are beside each other.
 */
export function barPaths({ buckets, slot, slots }: BarSlot): uPlot.Series.PathBuilder {
  return (plot, seriesIndex, first, last) => {
    const path = new Path2D();
    const values = plot.data[seriesIndex] ?? [];
    const zero = Math.round(plot.valToPos(0, 'y', true));
    for (let index = first; index <= last; index += 1) {
      const value = values[index];
      const bucket = buckets[index];
      if (value === null || value === undefined || bucket === undefined) continue;
      const left = plot.valToPos(bucket.from, 'x', true);
      const whole = plot.valToPos(bucket.to, 'x', true) - left;
      const width = Math.max(1, (whole * filledPart) / slots);
      const start = left + (whole * (1 - filledPart)) / 2 + slot * width;
      const top = Math.round(plot.valToPos(value, 'y', true));
      const gap = slots > 1 && width > 4 ? 1 : 0;
      path.rect(start, Math.min(top, zero), width - gap, Math.max(1, Math.abs(zero - top)));
    }
    return { fill: path, stroke: null };
  };
}
