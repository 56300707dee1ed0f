import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { publish, sparkplug } from './publish.ts';
import { variants } from './variants.ts';
import type { APIRequestContext } from '@playwright/test';

const list = '/api/ingestion/v1/deadLetters?limit=1000';

interface Listed {
  items: { id: string; topic: string }[];
  cursor?: string;
}

/** Waits until the service has dead letters of a topic. @returns their ids */
async function deadLetters(request: APIRequestContext, topic: string, count = 1) {
  let ids: string[] = [];
  await expect(async () => {
    ids = [];
    let cursor: string | undefined;
    do {
      const query: string = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = (await (await request.get(list + query)).json()) as Listed;
      ids.push(...page.items.filter((item) => item.topic === topic).map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(ids).toHaveLength(count);
  }).toPass();
  return ids;
}

let number = 0;
/** A name that no other test has. */
const unique = (): string => `dead-${Date.now()}-${(number += 1)}`;

test(
  'a dead letter is shown with its payload, and discarded after a confirmation',
  { tag: '@main' },
  async ({ page, request }) => {
    const device = unique();
    const topic = `engawa/${device}/readings`;
    await publish(topic, Buffer.from('a26474656d70f94d8063726177430102ff', 'hex'));
    const [id] = await deadLetters(request, topic);
    await page.goto(`/dead-letters?text=${device}`);
    const card = page.locator('[data-reason]');
    await expect(card).toHaveCount(1);
    await expect(card).toContainText(device);
    await card.locator(`[data-letter="${id}"] a`).click();
    await expect(page).toHaveURL(new RegExp(`letter=${id}`));
    const detail = page.getByRole('region', { name: 'Dead letter', exact: true });
    await expect(detail).toContainText('It would be rejected again');
    await expect(page.getByRole('tab', { selected: true })).toHaveText('CBOR');
    await expect(detail.getByRole('tabpanel')).toContainText(`"raw": h'0102ff'`);
    await page.getByRole('tab', { selected: true }).press('ArrowRight');
    await page.getByRole('tab', { selected: true }).press('ArrowRight');
    await expect(detail.getByRole('tabpanel')).toContainText('0000  a2 64 74 65 6d 70');

    await detail.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await deadLetters(request, topic, 1);
    await page.locator('h1').click();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard 1' }).click();
    await expect(page.getByText('1 discarded')).toBeVisible();
    await expect(detail).toContainText('This dead letter is gone');
    await deadLetters(request, topic, 0);
  },
);

test('a dead letter is replayed after its cause is gone', async ({ page, request }) => {
  const device = unique();
  const now = Date.now();
  const topic = `spBv1.0/browser/DDATA/edge/${device}`;
  await publish(topic, sparkplug(now, { alias: 7, value: 21.25 }));
  const [id] = await deadLetters(request, topic);
  await page.goto(`/dead-letters?text=${device}&letter=${id}`);
  const detail = page.getByRole('region', { name: 'Dead letter', exact: true });
  await expect(detail).toContainText('It would be rejected again: Sparkplug alias unknown');
  await detail.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText('1 still cannot be stored')).toBeVisible();

  const birth = { name: 'temperature', alias: 7, value: 20 };
  await publish(`spBv1.0/browser/NBIRTH/edge`, sparkplug(now - 2000, { ...birth, name: 'node' }));
  await publish(`spBv1.0/browser/DBIRTH/edge/${device}`, sparkplug(now - 1000, birth));
  await expect(async () => {
    const preview = await request.get(`/api/ingestion/v1/deadLetters/${id}/preview`);
    expect(await preview.json()).toMatchObject({ outcome: 'stored' });
  }).toPass();
  await page.reload();
  await expect(detail).toContainText('1 reading would be stored');
  await expect(detail).toContainText('21.25');
  await page.locator(`[data-letter="${id}"] input`).check();
  await page.getByRole('button', { name: 'Replay' }).first().click();
  await expect(page.getByText('1 replayed, 1 reading stored')).toBeVisible();
  await expect(page.locator(`[data-letter="${id}"]`)).toHaveCount(0);
  await deadLetters(request, topic, 0);
  const stored = await request.get(
    `/api/query/v1/devices/${encodeURIComponent(`browser/edge/${device}`)}/latest`,
  );
  expect(JSON.stringify(await stored.json())).toContain('21.25');
});

/** Deletes the second item of a dead letter. */
async function loseSecondPart(id: string | undefined): Promise<void> {
  const { DYNAMODB_ENDPOINT = '', TABLE_NAME = 'engawa' } = process.env;
  const credential = 'Credential=k/20261121/local/dynamodb/aws4_request';
  const pk = `DLQ#${new Date().toISOString().slice(0, 10)}#0`;
  const answer = await fetch(DYNAMODB_ENDPOINT, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.DeleteItem',
      'x-amz-date': '20261121T000000Z',
      authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify({
      ...{ TableName: TABLE_NAME, Key: { pk: { S: pk }, sk: { S: `${id}#0001` } } },
      ReturnValues: 'ALL_OLD',
    }),
  });
  expect(await answer.json()).toHaveProperty('Attributes');
}

test('a dead letter with a missing part says so, and is not gone', async ({ page, request }) => {
  const device = unique();
  const topic = `engawa/${device}/readings`;
  await publish(topic, `{"note":${'x'.repeat(300_000)}`);
  const [id] = await deadLetters(request, topic);
  await loseSecondPart(id);
  await page.goto(`/dead-letters?text=${device}&letter=${id}&form=json`);
  const missing = 'a part of the dead letter is missing';
  await expect(page.locator(`[data-letter="${id}"]`)).toContainText(missing);
  const detail = page.getByRole('region', { name: 'Dead letter', exact: true });
  await expect(detail.locator('.letter-facts')).toContainText(`bytes: ${missing}`);
  await expect(detail.getByRole('tabpanel')).toHaveText(missing);
  const downloading = page.waitForEvent('download');
  await detail.getByRole('button', { name: 'Download' }).click();
  expect((await downloading).suggestedFilename()).toBe(`${id}-incomplete.bin`);
  await request.delete(`/api/ingestion/v1/deadLetters/${id}`);
});

test('many dead letters are discarded with the keyboard alone', async ({ page, request }) => {
  const device = unique();
  const topic = `engawa/${device}/readings`;
  const total = 45;
  for (let count = 0; count < total; count += 1) await publish(topic, `<xml>${count}</xml>`);
  await deadLetters(request, topic, total);
  await page.goto(`/dead-letters?text=${device}`);
  await page.getByRole('checkbox', { name: 'Select all: Payload not readable' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(`${total} selected`)).toBeVisible();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/letter=/);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/letter=/);
  await page.keyboard.press('Delete');
  const confirm = page.getByRole('dialog').getByRole('button', { name: `Discard ${total}` });
  await confirm.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${total} discarded`)).toBeVisible();
  await deadLetters(request, topic, 0);
});

test('an empty period says what to do', async ({ page }) => {
  await page.route('**/api/ingestion/v1/deadLetters?*', (route) =>
    route.fulfill({ json: { items: [] } }),
  );
  await page.goto('/dead-letters');
  await page.getByRole('button', { name: 'Show all 14 days' }).click();
  await expect(page).toHaveURL(/days=14/);
  await expect(page.getByText('Every message of the last 14 days was stored.')).toBeVisible();
});

for (const variant of variants) {
  test.describe(`${variant.locale}, ${variant.colorScheme}`, () => {
    test.use(variant);
    test('axe reports nothing about a list, an open dead letter and a selection', async ({
      page,
      request,
    }) => {
      const topic = `engawa/${unique()}/readings`;
      await publish(topic, '{"temperature":');
      const [id] = await deadLetters(request, topic);
      await page.goto(`/dead-letters?letter=${id}`);
      await page.locator(`[data-letter="${id}"] input`).check();
      await expect(page.locator('.preview-verdict')).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)]),
      ).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      await request.delete(`/api/ingestion/v1/deadLetters/${id}`);
    });
  });
}
