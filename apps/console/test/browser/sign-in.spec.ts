import { expect, test } from '@playwright/test';
import { TokenIssuer } from '@engawa/testing';
import { startLocalStack } from '@engawa/embedded';
import { untilAccepted } from './requests.ts';
import type { Page } from '@playwright/test';
import type { LocalStack } from '@engawa/embedded';

/** All that the House page uses. */
const scope = 'ingestion:read registry:read registry:write query:read catalog:read';
const address = '/house?place=somewhere';

let issuer: TokenIssuer;
let stack: LocalStack;

test.beforeAll(async () => {
  test.setTimeout(900_000);
  issuer = await TokenIssuer.start();
  stack = await startLocalStack({
    simulator: false,
    environment: {
      ...issuer.environment,
      AUTH_CLIENT_ID: issuer.codeFlow.clientId,
      AUTH_CLOCK_TOLERANCE_S: '0',
    },
  });
});

test.afterAll(async () => {
  await stack.close();
  await issuer.close();
});

test.beforeEach(() => {
  issuer.codeFlow.denies = false;
  issuer.codeFlow.expiresInSeconds = 300;
});

const open = (page: Page) => page.goto(stack.consoleUrl + address);
const form = (page: Page) => page.getByRole('heading', { name: 'Sign in' });
const signedIn = (page: Page) => page.getByText('No device has sent a reading yet');

async function paste(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Use this token' }).click();
}

test('signs in with the issuer, and returns to the page', { tag: '@main' }, async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Sign in with the issuer' }).click();
  await expect(signedIn(page)).toBeVisible();
  expect(page.url()).toBe(stack.consoleUrl + address);
  // Nothing that a later script could read.
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
    '[{},{}]',
  );
  await page.getByRole('button', { name: 'Sign out' }).click();
  // The session of the issuer ends as well.
  await page.waitForURL(`${stack.consoleUrl}/house`);
  await expect(form(page)).toBeVisible();
  expect(issuer.codeFlow.signOuts).toMatchObject([{ client_id: issuer.codeFlow.clientId }]);
});

test('says that the issuer refused, and returns to the page', async ({ page }) => {
  issuer.codeFlow.denies = true;
  await open(page);
  await page.getByRole('button', { name: 'Sign in with the issuer' }).click();
  await expect(page.getByRole('alert')).toContainText('The issuer did not accept the sign-in');
  await expect(page.getByRole('alert')).toContainText('access_denied: not a member of the house');
  expect(page.url()).toBe(stack.consoleUrl + address);
});

for (const seconds of [0, 3_000_000]) {
  test(`a token of ${seconds} s is not renewed in a loop`, async ({ page }) => {
    await open(page);
    let requests = 0;
    await page.route('**/api/session/token', async (route) => {
      requests += 1;
      const response = await route.fetch();
      const answer = (await response.json()) as { access_token: string };
      await route.fulfill({ response, json: { ...answer, expires_in: seconds } });
    });
    await page.getByRole('button', { name: 'Sign in with the issuer' }).click();
    await expect(signedIn(page)).toBeVisible();
    // Timers that are due at once have fired when a later one does.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    expect(requests).toBe(1);
  });
}

test('renews tokens before they expire', async ({ page }) => {
  issuer.codeFlow.expiresInSeconds = 10;
  const before = issuer.codeFlow.renewals;
  await open(page);
  await page.getByRole('button', { name: 'Sign in with the issuer' }).click();
  await expect(signedIn(page)).toBeVisible();
  await expect.poll(() => issuer.codeFlow.renewals).toBeGreaterThan(before + 1);
  await expect(signedIn(page)).toBeVisible();
});

test('renews a token that a service has rejected', async ({ page }) => {
  await open(page);
  // The page believes in a long life: like a laptop that slept when it had to renew.
  await page.route('**/api/session/token', async (route) => {
    const response = await route.fetch();
    issuer.codeFlow.expiresInSeconds = 300;
    const answer = (await response.json()) as { access_token: string; expires_in: number };
    await route.fulfill({ response, json: { ...answer, expires_in: 3600 } });
  });
  issuer.codeFlow.expiresInSeconds = 0;
  const before = issuer.codeFlow.renewals;
  await page.getByRole('button', { name: 'Sign in with the issuer' }).click();
  await expect(signedIn(page)).toBeVisible();
  expect(issuer.codeFlow.renewals).toBe(before + 1);
});

test('a pasted token: rejected ones are named, expired ones are replaced', async ({ page }) => {
  await open(page);
  await paste(page, await issuer.token({ scope, aud: 'another' }));
  await expect(page.getByRole('alert')).toContainText('has expired or is not valid');
  await paste(page, `Bearer ${await issuer.token({ scope })}`);
  await expect(signedIn(page)).toBeVisible();

  // From here on, services see an expired token: the page says what to do, and its address stays.
  const expired = await issuer.token({ scope, exp: Math.floor(Date.now() / 1000) - 10 });
  await page.route('**/api/*/v1/**', (route) =>
    route.continue({
      headers: { ...route.request().headers(), authorization: `Bearer ${expired}` },
    }),
  );
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill('kitchen');
  await expect(page.getByRole('alert')).toContainText('has expired or is not valid');
  expect(page.url()).toBe(stack.consoleUrl + address);
  await page.unroute('**/api/*/v1/**');
  // The page stays, with the typed text, and the request is sent again.
  await page.keyboard.press('Escape');
  await expect(form(page)).toBeVisible();
  const searched = page.waitForResponse((response) => response.url().includes('/v1/devices?'));
  await paste(page, await issuer.token({ scope }));
  expect((await searched).status()).toBe(200);
  await expect(page.getByRole('combobox', { name: 'Search' })).toHaveValue('kitchen');
  await expect(form(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(signedIn(page)).toBeVisible();
});

test('an expired sign-in: the page stays, and its request is sent again', async ({
  page,
  request,
}) => {
  const id = `pending-${Date.now()}`;
  const device = `${stack.consoleUrl}/api/registry/v1/devices/${id}`;
  const token = await issuer.token({ scope: `${scope} registry:admin` });
  const headers = { authorization: `Bearer ${token}` };
  const data = { name: id, status: 'pending' };
  await untilAccepted(() => request.put(device, { headers, data }));
  await page.goto(`${stack.consoleUrl}/house`);
  await page.getByRole('button', { name: 'Sign in with the issuer' }).click();
  const approve = page.getByRole('button', { name: `Approve ${id}` });
  await expect(approve).toBeVisible();
  await page.evaluate('document.body.dataset.mark = "the same document"');

  // The session at the services and the refresh token end.
  const expired = await issuer.token({ scope, exp: Math.floor(Date.now() / 1000) - 10 });
  const withExpired = { headers: { authorization: `Bearer ${expired}` } };
  await page.route('**/api/registry/v1/**', (route) =>
    route.continue({ headers: { ...route.request().headers(), ...withExpired.headers } }),
  );
  await page.route('**/api/session/token', (route) =>
    route.fulfill({ status: 400, json: { error: 'invalid_grant' } }),
  );
  await approve.click();
  await expect(form(page)).toBeVisible();
  await page.unroute('**/api/registry/v1/**');
  await page.unroute('**/api/session/token');

  // Refused first, then granted, in a window of its own.
  issuer.codeFlow.denies = true;
  await page.getByRole('button', { name: 'Sign in with the issuer' }).click();
  await expect(page.getByRole('alert')).toContainText('The issuer did not accept the sign-in');
  issuer.codeFlow.denies = false;
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in with the issuer' }).click(),
  ]);
  await expect(form(page)).toHaveCount(0);
  await expect(async () => {
    const left = popup.isClosed() ? 'nothing' : await popup.locator('#content').innerText();
    expect(left).toMatch(/^(nothing|You are signed in. Close this window.)$/);
  }).toPass();
  await expect(approve).toHaveCount(0);
  const found = await request.get(device, { headers });
  expect(await found.json()).toMatchObject({ status: 'active' });
  expect(await page.evaluate('document.body.dataset.mark')).toBe('the same document');
  await untilAccepted(() => request.delete(device, { headers }));
});

test('a user who signs out of an expired page leaves it', async ({ page }) => {
  await open(page);
  await paste(page, await issuer.token({ scope, aud: 'another' }));
  await page.evaluate('window.open = () => null');
  await page.getByRole('button', { name: 'Sign in with the issuer' }).click();
  await expect(page.getByRole('alert')).toContainText('The browser blocked the window');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(form(page)).toBeVisible();
});
