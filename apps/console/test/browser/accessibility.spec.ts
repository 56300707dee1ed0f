import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { pagePaths, variants } from './variants.ts';
import type { Page } from '@playwright/test';

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** Rows below the view are not loaded. */
const loadingInView = `[...document.querySelectorAll('.skeleton')]
  .filter((element) => element.getBoundingClientRect().top < innerHeight).length`;

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('main h1')).toBeVisible();
  await expect.poll(() => page.evaluate(loadingInView)).toBe(0);
}

for (const variant of variants) {
  test.describe(`${variant.locale}, ${variant.colorScheme}`, () => {
    test.use(variant);
    for (const path of pagePaths) {
      test(`axe reports nothing on ${path}`, async ({ page }) => {
        await open(page, path);
        await expectNoViolations(page);
      });
    }

    test('axe reports nothing in the dialogs', async ({ page }) => {
      await open(page, '/house');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page);
      await page.keyboard.press('Escape');
      await expect(page.locator('dialog')).toHaveCount(0);
      await page.keyboard.press('/');
      await page.getByRole('dialog').getByRole('combobox').fill('Smith');
      const results = page.getByRole('listbox').getByRole('option');
      await expect(results.first()).toContainText('Smith');
      await expectNoViolations(page);
    });
  });
}

test.describe('a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });
  for (const path of pagePaths) {
    test(`${path} fits into 360 pixels`, async ({ page }) => {
      await open(page, path);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });
  }
});
