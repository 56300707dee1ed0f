import { expect, test } from '@playwright/test';
import { publish } from './publish.ts';
import type { APIRequestContext, Locator } from '@playwright/test';

test.use({ locale: 'ja-JP' });

/** Two English words in a row. */
const english = /[A-Za-z]{2,} [a-z]{2,}/;

/** The region has no English sentence, apart from code: ids, settings, and messages of parsers. */
async function expectNoEnglish(region: Locator): Promise<void> {
  await expect(region).toBeVisible();
  // The page's types are not in this project.
  const text: string = await region.evaluate((element: never) => {
    const copy = (element as { cloneNode: (deep: boolean) => Part }).cloneNode(true);
    for (const code of copy.querySelectorAll('code, pre, .heat-key, .key-text')) code.remove();
    return copy.textContent;
  });
  expect(text).not.toMatch(english);
  expect(text).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
}

interface Part {
  querySelectorAll: (selector: string) => Iterable<{ remove: () => void }>;
  textContent: string;
}

/** Ten readings of 60 KB, which consume 600 write units. */
async function writeMuch(request: APIRequestContext, device: string, round: number) {
  const data = Array.from({ length: 10 }, (_, at) => ({
    device,
    time: new Date(Date.now() - (round * 10 + at) * 1000).toISOString(),
    note: `${round} ${at} `.padEnd(60_000, 'x'),
  }));
  const sent = await request.post('/api/ingestion/v1/readings', { data });
  expect(sent.ok() ? '' : await sent.text()).toBe('');
}

test('a hot key is explained in Japanese', async ({ page, request }) => {
  const device = `japanese-${Date.now()}`;
  await page.goto('/heat');
  const hot = page.locator('.heat-now-hot').getByRole('button', { name: `DEVICE#${device}` });
  await expect(page.locator('.heat-now')).toBeVisible();
  for (let round = 0; (await hot.count()) === 0; round += 1) {
    await writeMuch(request, device, round);
  }
  await hot.click();
  const explanation = page.getByRole('region', { name: 'このキーについて' });
  await expect(explanation).toContainText('1 台のデバイス：計測値、ロールアップ、訂正。');
  await expect(explanation.getByRole('listitem').first()).toContainText('LINGER_MS');
  await expectNoEnglish(explanation);
  await expect(explanation.locator('[lang="en"]')).toHaveCount(0);
});

test('advice of a newer service stays in English, and is marked as such', async ({ page }) => {
  const newer = 'Do what only a newer version knows.';
  await page.route('**/v1/hot-partitions/merged*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { partitions: object[] };
    const partitions = body.partitions.map((partition) => ({
      ...partition,
      ...{ hotSince: new Date().toISOString(), utilization: 0.9, advice: [newer] },
      adviceCodes: [{ code: 'of-a-newer-version', values: {} }],
    }));
    await route.fulfill({ response, json: { ...body, partitions } });
  });
  await page.goto('/heat');
  await page.locator('.heat-now-hot').getByRole('button').first().click();
  await expect(page.locator('.heat-reason li [lang="en"]').first()).toHaveText(newer);
  // The page polls: a request that the end of the test interrupts is no failure.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('key families and the price of a request are explained in Japanese', async ({ page }) => {
  await page.goto('/table');
  await expectNoEnglish(page.locator('.families').first());
  await page.getByRole('searchbox').fill('ブロック 最も新しい');
  await expect(page.locator('.families tbody tr')).toHaveCount(1);
  await page.goto('/table?view=items&index=gsi1&pk=LIST%23DEVICE%230&limit=10');
  await expect(page.locator('.price')).toContainText('結果整合性');
  await expectNoEnglish(page.locator('.price'));
  await page.getByRole('button', { name: 'クエリを実行' }).click();
  await expect(page.locator('.consumed')).toContainText('一部の属性がありません');
  await expectNoEnglish(page.locator('.consumed'));
});

test('the problem of a request has a Japanese title', async ({ page }) => {
  await page.goto('/table?view=items&pk=a&condition=range&skFrom=b&skTo=a');
  await expect(page.getByRole('alert')).toContainText('リクエストが無効です');
});

test('dead letters are explained in Japanese', async ({ page, request }) => {
  const device = `japanese-${Date.now()}`;
  const payloads = ['no JSON', '[{"x":1},{"ts":"never"}]', '{"x":1,"a":1e200}'];
  for (const payload of payloads) await publish(`engawa/${device}/readings`, payload);
  await expect(async () => {
    const list = await request.get('/api/ingestion/v1/deadLetters?limit=1000');
    expect((await list.text()).split(`engawa/${device}/readings`)).toHaveLength(4);
  }).toPass();
  await page.goto(`/dead-letters?text=${device}`);
  await expect(page.locator('[data-letter]')).toHaveCount(payloads.length);
  for (const card of await page.locator('[data-reason]').all()) await expectNoEnglish(card);
  await page.getByRole('link', { name: 'UTF-8 の JSON ではありません' }).click();
  const detail = page.getByRole('region', { name: 'デッドレター', exact: true });
  await expect(detail).toContainText('再び拒否されます');
  await expectNoEnglish(detail.locator('.letter-why'));
  await expectNoEnglish(page.getByRole('region', { name: '今、再処理した場合' }));
});
