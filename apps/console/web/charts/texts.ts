import { defineTexts } from '../i18n/define-texts.ts';

const en = {
  chart: (title: string) => `Chart: ${title}. Arrow keys read values; the table below has all.`,
  numbers: 'Numbers',
  numbersOf: (caption: string) => `Numbers: ${caption}`,
  more: (count: string) => `Show ${count} more rows`,
  rows: (shown: string, all: string) => `${shown} of ${all} rows`,
  band: (low: string, high: string) => `${low} to ${high}`,
  hint: 'Drag to zoom in, double-click to zoom out',
};

const ja = {
  chart: (title: string) =>
    `グラフ: ${title}。矢印キーで値を読み上げます。すべての値は下の表にあります。`,
  numbers: '数値',
  numbersOf: (caption: string) => `数値: ${caption}`,
  more: (count: string) => `あと ${count} 行を表示`,
  rows: (shown: string, all: string) => `${all} 行中 ${shown} 行`,
  band: (low: string, high: string) => `${low} ～ ${high}`,
  hint: 'ドラッグで拡大、ダブルクリックで縮小',
};

export const chartTexts = defineTexts(en, ja);
