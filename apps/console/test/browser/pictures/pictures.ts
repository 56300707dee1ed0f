import { heatDevice } from './heat-device.ts';
import type { Page } from '@playwright/test';

/** A picture of docs/console. */
export interface Picture {
  /** The name of its file. */
  name: string;
  /** The page, with the query that selects what it shows. */
  path: string;
  /** Waits for the content of the picture. */
  prepare?: (page: Page) => Promise<void>;
  locale: string;
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
}

const english = {
  locale: 'en-GB',
  colorScheme: 'light',
  viewport: { width: 1280, height: 800 },
} as const;

/** Milliseconds after which a page is loaded again: it requests lines once, and the homes are new. */
const reloadAfterMs = 20_000;
/** The simulated homes publish a week before today. */
const maxReloads = 30;

/** The lines of the rows in view have been drawn; a phone hides them. @throws Error if there are none in the end */
const house = async (page: Page): Promise<void> => {
  const line = page.locator('.sparkline').first();
  for (let turn = 0; turn < maxReloads; turn += 1) {
    const isDrawn = await line.waitFor({ state: 'attached', timeout: reloadAfterMs }).then(
      () => true,
      () => false,
    );
    if (isDrawn) {
      await page.locator('.live-badge.live-open').waitFor();
      return;
    }
    await page.reload();
  }
  throw new Error('the House page draws no lines');
};

/** A chart has been drawn, if the page has one. */
const chart = async (page: Page): Promise<void> => {
  await page.locator('main canvas').first().waitFor();
};

/** The items of a device have been queried. */
const items = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Query', exact: true }).click();
  await page.locator('.item').first().waitFor();
};

/** Every page once, and the House page in the other language, colours and width. */
export const pictures: readonly Picture[] = [
  { name: 'house', path: '/house', prepare: house, ...english },
  {
    name: 'house-dark-ja',
    path: '/house',
    prepare: house,
    ...english,
    locale: 'ja-JP',
    colorScheme: 'dark',
  },
  {
    name: 'house-phone',
    path: '/house',
    prepare: house,
    ...english,
    viewport: { width: 360, height: 740 },
  },
  {
    name: 'explore',
    path: '/explore?place=tanaka&field=temperature&field=power&split=true',
    prepare: chart,
    ...english,
  },
  {
    name: 'table',
    path: '/table?view=items&pk=DEVICE%23climate-tanaka-living&condition=skPrefix&skPrefix=%23TS&limit=10',
    prepare: items,
    ...english,
  },
  { name: 'dead-letters', path: '/dead-letters', ...english },
  { name: 'health', path: '/health', ...english },
  // The last one: its load would be in the units of the Health page.
  { name: 'heat', path: '/heat', prepare: heatDevice, ...english },
];
