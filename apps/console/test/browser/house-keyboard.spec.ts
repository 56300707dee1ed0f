import { expect, test } from '@playwright/test';
import { untilAccepted } from './requests.ts';
import type { Locator } from '@playwright/test';

test('the House page without a mouse: links, places, approval', async ({ page, request }) => {
  const device = `keyboard-${Date.now()}`;
  await untilAccepted(() =>
    request.put(`/api/registry/v1/devices/${device}`, {
      data: { name: device, status: 'pending' },
    }),
  );
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
  const first = page.getByRole('link', { name: 'Smith back door', exact: true });
  await expect(first).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(first).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/explore\?device=/);
  await request.delete(`/api/registry/v1/devices/${device}`);

  /** Presses Tab until the element has the focus. */
  async function tabTo(target: typeof approve): Promise<void> {
    await expect(async () => {
      if ((await focused(target).count()) === 0) await page.keyboard.press('Tab');
      expect(await focused(target).count()).toBe(1);
    }).toPass({ intervals: [0] });
  }
});

/** The element, while it has the focus. */
function focused(target: Locator): Locator {
  return target.and(target.page().locator(':focus'));
}
