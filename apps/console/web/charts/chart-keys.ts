import { chartTexts } from './texts.ts';
import type { PageKey } from '../keyboard/keys.ts';

type Action = keyof typeof chartTexts.value.keys;

const shown: readonly [Action, readonly string[]][] = [
  ['point', ['\u2190', '\u2192']],
  ['tenPoints', ['Shift', '\u2190 \u2192']],
  ['ends', ['Home', 'End']],
  ['line', ['\u2191', '\u2193']],
  ['clear', ['Esc']],
];
const gestures: readonly [
  Action,
  'zoomWheel' | 'panWheel' | 'select' | 'panDrag' | 'doubleClick',
][] = [
  ['select', 'select'],
  ['zoom', 'zoomWheel'],
  ['pan', 'panWheel'],
  ['panByDrag', 'panDrag'],
  ['back', 'doubleClick'],
];

/** What a chart does with keys and the mouse, for the list of keys. The chart itself listens to them. */
export const chartKeys: readonly PageKey[] = [
  ...shown.map(([action, keys]) => ({
    key: action,
    shown: () => keys,
    label: () => chartTexts.value.keys[action],
    section: () => chartTexts.value.keysTitle,
  })),
  ...gestures.map(([action, gesture]) => ({
    key: action,
    shown: () => chartTexts.value.gestures[gesture],
    label: () => chartTexts.value.keys[action],
    section: () => chartTexts.value.keysTitle,
  })),
];
