import { computed, signal } from '@preact/signals';
import { timeZone } from '../../i18n/format.ts';
import { language } from '../../i18n/language.ts';
import { currentQuery, navigate } from '../../router/router.ts';
import { watch } from '../../watch.ts';
import { buildCharts, loadCharts } from './load-charts.ts';
import { loadFields } from './field-info.ts';
import { parseState, resolveRange, sourceKey, writeState } from './explore-state.ts';
import { RangeMover } from './range-mover.ts';
import { clamped, panned, zoomed } from './range.ts';
import { requestsOf } from './explore-requests.ts';
import type { Chart, TimeRange } from '../../charts/chart.ts';
import type { ExploreState } from './explore-state.ts';
import type { SourceFields } from './field-info.ts';
import type { ChartData } from './load-charts.ts';

/** Data that nobody has chosen is not loaded. */
export type Chosen<Data> =
  | { kind: 'none' }
  | { kind: 'loading' }
  | { kind: 'ready'; data: Data }
  | { kind: 'failed'; error: unknown };

const zoomOutFactor = 2;
/** The entry of a range in the browser's history. */
const stepEntry = { isRangeStep: true };

/** The data of the page: fields of the chosen sources, and charts of the chosen fields. */
export class ExploreStore {
  readonly state = computed(() => parseState(currentQuery.value, timeZone));
  readonly fields = signal<Chosen<SourceFields>>({ kind: 'none' });
  readonly loaded = signal<Chosen<ChartData>>({ kind: 'none' });
  readonly charts = signal<readonly Chart[] | undefined>(undefined);
  /** Whether newer data is on its way; older charts stay until it is there. */
  readonly isBusy = signal(false);
  /** Whether the dialog is open that chooses sources. */
  readonly isPicking = signal(false);
  /** Readings that have arrived, while every reading is loaded. */
  readonly progress = signal(0);
  /** Of a plot, in CSS pixels; 0 until the page is laid out. */
  readonly width = signal(0);
  /** Moves the charts: by the wheel, the mouse and fingers. */
  readonly mover = new RangeMover({
    view: signal<TimeRange | undefined>(undefined),
    write: (range, isStep) => this.change({ range }, { isStep }),
  });
  readonly #reloads = signal(0);
  /** The sources of `fields`. */
  #fieldsOf: string | undefined;
  readonly #sourcesKey = computed(() => this.state.value.sources.map(sourceKey).join('&'));
  /** Which lines are chosen, at any time. */
  readonly choice = computed(() => [this.#sourcesKey.value, ...this.state.value.fields].join('&'));
  /** Changes of the window by some pixels need no other data. */
  readonly #widthStep = computed(() => Math.floor(this.width.value / 100) * 100);
  readonly #dataKey = computed(() =>
    [writeState(this.state.value, ''), this.#widthStep.value].join(' '),
  );

  /** Loads what is chosen, now and after each change. @returns ends it */
  start(): () => void {
    const ends = [
      watch([this.#reloads, this.#sourcesKey], () => this.#loadFields()),
      watch([this.#dataKey, this.fields], () => this.#loadCharts()),
      watch([language, this.loaded, this.width], () => this.#buildCharts()),
    ];
    return () => {
      this.mover.stop();
      ends.forEach((end) => end());
    };
  }

  openPicker(): void {
    this.isPicking.value = true;
  }

  closePicker(): void {
    this.isPicking.value = false;
  }

  reload(): void {
    this.#reloads.value += 1;
  }

  /** Changes the address. @param isStep the change can be undone with the browser's Back */
  change(changes: Partial<ExploreState>, { isStep = false } = {}): void {
    const text = writeState({ ...this.state.peek(), ...changes }, timeZone);
    navigate(`/explore${text === '' ? '' : `?${text}`}`, { replace: !isStep, entry: stepEntry });
  }

  /** Returns to the range before the last step; other choices stay. Without a step, shows more. */
  back(): void {
    if (!isStepEntry(history.state)) {
      this.zoom(zoomOutFactor);
      return;
    }
    const choices = this.state.peek();
    const keepChoices = (): void => this.change({ ...choices, range: this.state.peek().range });
    addEventListener('popstate', keepChoices, { once: true });
    history.back();
  }

  zoomTo(from: number, to: number): void {
    this.change({ range: clamped({ from, to }) }, { isStep: true });
  }

  zoom(factor: number): void {
    const now = Date.now();
    const range = resolveRange(this.state.peek().range, now);
    this.change({ range: zoomed(range, factor, now) }, { isStep: true });
  }

  pan(part: number): void {
    const now = Date.now();
    const range = resolveRange(this.state.peek().range, now);
    this.change({ range: panned(range, part, now) }, { isStep: true });
  }

  #loadFields(): () => void {
    const controller = new AbortController();
    const { sources } = this.state.value;
    const key = this.#sourcesKey.value;
    // Fields stay while the same sources are loaded again.
    if (key !== this.#fieldsOf) this.fields.value = { kind: key === '' ? 'none' : 'loading' };
    this.#fieldsOf = key;
    if (key !== '') {
      loadFields(sources, controller.signal).then(
        (data) => settle(controller, () => (this.fields.value = { kind: 'ready', data })),
        (error: unknown) =>
          settle(controller, () => (this.fields.value = { kind: 'failed', error })),
      );
    }
    return () => controller.abort();
  }

  #loadCharts(): (() => void) | undefined {
    const state = this.state.value;
    const fields = this.fields.value;
    const width = this.#widthStep.value;
    const isChosen = state.sources.length > 0 && state.fields.length > 0;
    this.isBusy.value = isChosen && fields.kind !== 'failed';
    if (!isChosen) this.loaded.value = { kind: 'none' };
    if (!isChosen || fields.kind !== 'ready' || width === 0) return undefined;
    const controller = new AbortController();
    const { signal: aborted } = controller;
    const known = fields.data;
    const range = resolveRange(state.range, Date.now());
    this.mover.show(range);
    const counters = new Set(known.fields.filter((one) => one.isCounter).map(({ name }) => name));
    const requests = requestsOf(state, { range, width, isCounter: (name) => counters.has(name) });
    const onProgress = (readings: number): void => void (this.progress.value = readings);
    if (this.loaded.value.kind !== 'ready') this.loaded.value = { kind: 'loading' };
    loadCharts({ state, known, range, requests }, { signal: aborted, onProgress }).then(
      (data) => settle(controller, () => (this.loaded.value = { kind: 'ready', data })),
      (error: unknown) =>
        settle(controller, () => {
          this.isBusy.value = false;
          this.loaded.value = { kind: 'failed', error };
        }),
    );
    return () => controller.abort();
  }

  #buildCharts(): (() => void) | undefined {
    const loaded = this.loaded.value;
    const width = this.width.value;
    if (loaded.kind !== 'ready') this.charts.value = undefined;
    if (loaded.kind !== 'ready' || width === 0) return undefined;
    const controller = new AbortController();
    buildCharts(loaded.data, { width, signal: controller.signal }).then(
      (charts) =>
        settle(controller, () => {
          this.charts.value = charts;
          this.isBusy.value = false;
        }),
      (error: unknown) => settle(controller, () => (this.loaded.value = { kind: 'failed', error })),
    );
    return () => controller.abort();
  }
}

/** A result that is not wanted any more is dropped. */
function settle(controller: AbortController, use: () => void): void {
  if (!controller.signal.aborted) use();
}

function isStepEntry(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'isRangeStep' in entry;
}
