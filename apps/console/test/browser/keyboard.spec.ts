import { expect, test } from '@playwright/test';

test('keys go to every page, list the keys and search', { tag: '@main' }, async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/house$/);
  await expect(page.locator('main h1')).toHaveText('House');
  for (const [key, title] of [
    ['e', 'Explore'],
    ['p', 'Heat'],
    ['t', 'Table'],
    ['d', 'Dead letters'],
    ['s', 'Health'],
    ['h', 'House'],
  ] as const) {
    // On a busy machine, the second key may come too late for a sequence.
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await expect(page.locator('main h1')).toHaveText(title, { timeout: 5000 });
    }).toPass();
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Go to Dead letters');
  await page.keyboard.press('Escape');
  // At once: the next key follows while the browser closes the dialog.
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill('Smith kitchen');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/^Smith kitchen/]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/explore\?device=/);
});

test('the choice of language and theme lasts', async ({ page }) => {
  await page.goto('/house');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ja');
  await expect(page.locator('main h1')).toHaveText('ホーム');
  await page.getByRole('button', { name: '配色: システム' }).click();
  await page.getByRole('button', { name: '配色: ライト' }).click();
  await expect(page.locator('html[data-theme=dark][lang=ja]')).toHaveCount(1);
  await page.reload();
  await expect(page.locator('html[data-theme=dark][lang=ja]')).toHaveCount(1);
});
