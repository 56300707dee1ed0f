import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { pagePaths, variants } from './variants.ts';

for (const variant of variants) {
  test.describe(`${variant.locale}, ${variant.colorScheme}`, () => {
    test.use(variant);
    for (const path of pagePaths) {
      test(`axe reports nothing on ${path}`, async ({ page }) => {
        await page.goto(path);
        await expect(page.locator('main h1')).toBeVisible();
        await expect(page.locator('.skeleton')).toHaveCount(0);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      });
    }
  });
}

test.describe('a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });
  for (const path of pagePaths) {
    test(`${path} fits into 360 pixels`, async ({ page }) => {
      await page.goto(path);
      await expect(page.locator('main h1')).toBeVisible();
      await expect(page.locator('.skeleton')).toHaveCount(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });
  }
});
