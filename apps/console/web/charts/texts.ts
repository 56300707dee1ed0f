import { defineTexts } from '../i18n/define-texts.ts';

const en = {
  chart: (title: string) => `Chart: ${title}. Arrow keys read values; the table below has all.`,
  numbers: 'Numbers',
  numbersOf: (caption: string) => `Numbers: ${caption}`,
  more: (count: string) => `Show ${count} more rows`,
  rows: (shown: string, all: string) => `${shown} of ${all} rows`,
  band: (low: string, high: string) => `${low} to ${high}`,
  role: 'chart',
  hint: 'Drag or Ctrl + wheel zooms, Shift + drag or wheel pans, double-click goes back',
  touchHint: 'Swipe pans, two fingers zoom, a tap reads a value',
  keysTitle: 'On a chart',
  keys: {
    point: 'Read the next point',
    tenPoints: 'Ten points further',
    ends: 'First and last point',
    line: 'Read one line alone',
    clear: 'Leave the point',
    select: 'Zoom to a range',
    zoom: 'Zoom at the cursor',
    pan: 'Earlier and later',
    panByDrag: 'Move the chart',
    back: 'Back one step',
  },
  gestures: {
    select: ['Drag'],
    zoomWheel: ['Ctrl', 'Wheel'],
    panWheel: ['Shift', 'Wheel'],
    panDrag: ['Shift', 'Drag'],
    doubleClick: ['Double-click'],
  },
};

const ja = {
  chart: (title: string) =>
    `グラフ: ${title}。矢印キーで値を読み上げます。すべての値は下の表にあります。`,
  numbers: '数値',
  numbersOf: (caption: string) => `数値: ${caption}`,
  more: (count: string) => `あと ${count} 行を表示`,
  rows: (shown: string, all: string) => `${all} 行中 ${shown} 行`,
  band: (low: string, high: string) => `${low} ～ ${high}`,
  role: 'グラフ',
  hint: 'ドラッグ・Ctrl+ホイールで拡大縮小、Shift+ドラッグ・ホイールで移動、ダブルクリックで戻る',
  touchHint: 'スワイプで移動、2 本指で拡大縮小、タップで値を表示',
  keysTitle: 'グラフ上',
  keys: {
    point: '次の点の値を読む',
    tenPoints: '10 点先へ',
    ends: '最初と最後の点',
    line: '1 本の線だけを読む',
    clear: '点から離れる',
    select: '範囲を拡大',
    zoom: 'カーソル位置で拡大縮小',
    pan: '前後の時間へ移動',
    panByDrag: 'グラフを動かす',
    back: '1 つ前へ戻る',
  },
  gestures: {
    select: ['ドラッグ'],
    zoomWheel: ['Ctrl', 'ホイール'],
    panWheel: ['Shift', 'ホイール'],
    panDrag: ['Shift', 'ドラッグ'],
    doubleClick: ['ダブルクリック'],
  },
};

export const chartTexts = defineTexts(en, ja);
