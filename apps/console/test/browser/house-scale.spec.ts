import { expect, test } from '@playwright/test';
import { untilAccepted } from './requests.ts';
import { startLocalStack } from '@engawa/embedded';
import type { APIRequestContext } from '@playwright/test';
import type { LocalStack } from '@engawa/embedded';

const places = 50;
const devicesPerPlace = 100;
/** Requests at the same time while the devices are placed. */
const parallel = 16;

let stack: LocalStack;

test.beforeAll(async () => {
  test.setTimeout(900_000);
  stack = await startLocalStack({ simulator: false });
});

test.afterAll(() => stack.close());

const placeOf = (index: number): string => `place-${String(index).padStart(2, '0')}`;
const deviceOf = (place: number, index: number): string => `device-${place}-${index}`;

/** 5,000 devices in 50 places, each with a reading. */
async function fill(request: APIRequestContext): Promise<void> {
  const post = async (path: string, data: unknown): Promise<void> => {
    await untilAccepted(() => request.post(`${stack.consoleUrl}/api${path}`, { data }));
  };
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
  await post(
    '/registry/v1/places',
    numbers(places).map((at) => ({ id: placeOf(at), name: placeOf(at) })),
  );
  for (const place of numbers(places)) {
    const ids = numbers(devicesPerPlace).map((at) => deviceOf(place, at));
    await post(
      '/ingestion/v1/readings',
      ids.map((device, at) => ({ device, temperature: 20 + at / 100 })),
    );
    const rest = [...ids];
    await Promise.all(
      numbers(parallel).map(async () => {
        for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
          const path = `/api/registry/v1/places/${placeOf(place)}/devices/${id}`;
          await untilAccepted(() => request.put(stack.consoleUrl + path, { data: {} }));
        }
      }),
    );
  }
}

test('5,000 devices in 50 places: requests only for places in view', async ({ page, request }) => {
  test.setTimeout(900_000);
  await fill(request);
  const requests: string[] = [];
  page.on('request', (one) => requests.push(one.url().replace(stack.consoleUrl, '')));
  const of = (pattern: RegExp): string[] => requests.filter((url) => pattern.test(url));
  const placesRead = (): Set<string | undefined> =>
    new Set(of(/\/registry\/v1\/places\/[^?]/).map((url) => /place-\d+/.exec(url)?.[0]));

  await page.goto(`${stack.consoleUrl}/house`);
  await expect(page.locator(`[data-device="${deviceOf(0, 0)}"]`)).toContainText('20 °C');
  expect([...placesRead()]).toEqual(['place-00']);
  await expect.poll(() => of(/\/v1\/devices\?/).length).toBeGreaterThanOrEqual(5);

  await page.goto(`${stack.consoleUrl}/house?place=place-40`);
  await expect(page.locator(`[data-device="${deviceOf(40, 0)}"]`)).toContainText('20 °C');
  expect(placesRead().size).toBeLessThan(6);
  expect(await page.locator('[data-device]').count()).toBeLessThan(100);

  // All rows of a long way pass by; only the places at its end are loaded.
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await expect(page.locator(`[data-device="${deviceOf(49, 99)}"]`)).toContainText('20.99 °C');
  expect(placesRead().size).toBeLessThan(10);
});
