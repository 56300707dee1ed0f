import { expect, test } from '@playwright/test';
import type { Locator } from '@playwright/test';

test('the House page without a mouse: links, places, approval', async ({ page, request }) => {
  const device = `keyboard-${Date.now()}`;
  await request.put(`/api/registry/v1/devices/${device}`, {
    data: { name: device, status: 'pending' },
  });
  await page.goto('/house');
  await expect(page.locator('.device-row').first()).toBeVisible();

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();

  const approve = page.getByRole('button', { name: `Approve ${device}` });
  await tabTo(approve);
  await page.keyboard.press('Enter');
  await expect(approve).toHaveCount(0);

  const place = page.getByRole('button', { name: /^Smith/ });
  await place.focus();
  await page.keyboard.press('Enter');
  await expect(place).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Enter');
  await expect(place).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Tab');
  await expect(page.locator('.device-name a').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/explore\?device=/);
  await request.delete(`/api/registry/v1/devices/${device}`);

  /** Presses Tab until the element has the focus. */
  async function tabTo(target: typeof approve): Promise<void> {
    await expect(async () => {
      if (!(await isFocused(target))) await page.keyboard.press('Tab');
      expect(await isFocused(target)).toBe(true);
    }).toPass({ intervals: [0] });
  }
});

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}
