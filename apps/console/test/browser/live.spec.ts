import { expect, test } from '@playwright/test';
import { connectAsync } from 'mqtt';
import { untilAccepted } from './requests.ts';

const mqttUrl = process.env['MQTT_URL'] ?? 'mqtt://127.0.0.1:1883';

test(
  'a message over MQTT changes a value without polling',
  { tag: '@main' },
  async ({ page, request }) => {
    const place = `live-${Date.now()}`;
    const device = `${place}-sensor`;
    const client = await connectAsync(mqttUrl);
    const publish = (temperature: number) =>
      client.publishAsync(`engawa/${device}/readings`, JSON.stringify({ temperature }), { qos: 1 });
    try {
      for (const path of [
        `devices/${device}`,
        `places/${place}`,
        `places/${place}/devices/${device}`,
      ]) {
        const data = path === `places/${place}` ? { name: place } : {};
        await untilAccepted(() => request.put(`/api/registry/v1/${path}`, { data }));
      }
      await publish(20.25);
      await page.goto(`/house?place=${place}`);
      const row = page.locator(`[data-device="${device}"]`);
      await expect(row).toContainText('20.25 °C');
      await expect(page.locator('.live-badge')).toHaveText('Live');

      // From here on, only the feed can change the value.
      await page.route('**/fields?*', (route) => route.abort());
      await publish(21.75);
      await expect(row).toContainText('21.75 °C');
      await expect(page.locator('.live-badge')).toHaveText('Live');
    } finally {
      await client.endAsync();
      await request.delete(`/api/registry/v1/places/${place}/devices/${device}`);
      await request.delete(`/api/registry/v1/devices/${device}`);
      await request.delete(`/api/registry/v1/places/${place}`);
    }
  },
);

test('values are polled while there is no feed, and live again after', async ({ page }) => {
  await page.route('**/api/live*', (route) => route.fulfill({ status: 503 }));
  await page.goto('/house');
  await expect(page.locator('.live-badge')).toHaveText('Every 5 s');
  await page.waitForRequest('**/fields?*');
  await page.unroute('**/api/live*');
  await expect(page.locator('.live-badge')).toHaveText('Live');
});
