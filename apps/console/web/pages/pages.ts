import type { ComponentType } from 'preact';
import type { shared } from '../i18n/shared.ts';
import type { IconName } from '../parts/icon.tsx';

/** A page of the console. Its code is loaded when the page is opened for the first time. */
export interface Page {
  path: string;
  /** Its name in `i18n/en.ts`, below `pages`. */
  name: keyof (typeof shared)['value']['pages'];
  icon: IconName;
  /** `g` and this key go to the page. */
  key: string;
  load: () => Promise<ComponentType>;
}

/** All pages, in the order of the navigation. To add one: a folder in `pages`, a line here and its name in `i18n`. */
export const pages: readonly Page[] = [
  {
    path: '/house',
    name: 'house',
    icon: 'house',
    key: 'h',
    load: async () => (await import('./house/house-page.tsx')).HousePage,
  },
  {
    path: '/explore',
    name: 'explore',
    icon: 'chart',
    key: 'e',
    load: async () => (await import('./explore/explore-page.tsx')).ExplorePage,
  },
  {
    path: '/heat',
    name: 'heat',
    icon: 'heat',
    key: 'p',
    load: async () => (await import('./heat/heat-page.tsx')).HeatPage,
  },
  {
    path: '/table',
    name: 'table',
    icon: 'table',
    key: 't',
    load: async () => (await import('./table/table-page.tsx')).TablePage,
  },
  {
    path: '/dead-letters',
    name: 'deadLetters',
    icon: 'letter',
    key: 'd',
    load: async () => (await import('./dead-letters/dead-letters-page.tsx')).DeadLettersPage,
  },
  {
    path: '/health',
    name: 'health',
    icon: 'pulse',
    key: 's',
    load: async () => (await import('./health/health-page.tsx')).HealthPage,
  },
];

export function pageAt(path: string): Page | undefined {
  return pages.find((page) => page.path === path);
}
