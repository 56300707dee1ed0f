import { startServiceProcess } from '@engawa/embedded';
import { freePort, TokenIssuer } from '@engawa/testing';
import { expect, test } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';

test(
  'shows all services with their versions, the broker session and the units',
  { tag: '@main' },
  async ({ page, request }) => {
    await page.goto('/health');
    for (const service of ['ingestion', 'registry', 'query', 'catalog']) {
      await expect(page.locator(`[data-service="${service}"]`)).toContainText('Ready');
    }
    await expect(page.getByRole('status').getByText('All services are ready')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Broker session' })).toContainText('Connected');
    await expect(page.getByRole('region', { name: 'Alerts' })).toContainText('PROMETHEUS_URL');
    const before = await units(request);
    const device = `health-${Date.now()}`;
    await request.post('/api/ingestion/v1/readings', { data: [{ device, temperature: 21 }] });
    await expect(async () => expect(await units(request)).toBeGreaterThan(before)).toPass();
    const cost = page.getByRole('region', { name: 'Units and cost of the last hour' });
    await expect(cost).toContainText('us-east-1');
    const minutes = cost.getByRole('slider');
    await minutes.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(minutes).toHaveAttribute('aria-valuetext', /read units/);
    await request.delete(`/api/registry/v1/devices/${device}`);
  },
);

interface Status {
  units: { total: { write: number } };
}

async function units(request: APIRequestContext): Promise<number> {
  const status = (await (await request.get('/api/status')).json()) as Status;
  return status.units.total.write;
}

test('shows a service that stops as such', async ({ page }) => {
  const { DYNAMODB_ENDPOINT = '' } = process.env;
  const environment = { AWS_REGION: 'us-east-1', DYNAMODB_ENDPOINT, HOST: '127.0.0.1' };
  const query = await startServiceProcess({ service: 'query', environment });
  const own = await startServiceProcess({
    service: 'console',
    environment: { HOST: '127.0.0.1', QUERY_METRICS_URL: query.metricsUrl },
  });
  try {
    await page.goto(`${own.url}/health`);
    const row = page.locator('[data-service="query"]');
    await expect(row).toContainText('Ready');
    await query.end('SIGKILL');
    await expect(row).toContainText('Stopped or unreachable');
    await expect(page.getByText('query is not reachable: 127.0.0.1 ECONNREFUSED')).toBeVisible();
    await expect(page.getByRole('status').getByText('All services are ready')).toHaveCount(0);
  } finally {
    await own.end('SIGKILL');
    await query.end('SIGKILL');
  }
});

test('names the services that do not answer where no service can check the token', async ({
  page,
}) => {
  const issuer = await TokenIssuer.start();
  const stopped = `http://127.0.0.1:${await freePort()}`;
  const own = await startServiceProcess({
    service: 'console',
    environment: {
      ...{ HOST: '127.0.0.1', ...issuer.environment },
      ...{
        INGESTION_URL: stopped,
        REGISTRY_URL: stopped,
        QUERY_URL: stopped,
        CATALOG_URL: stopped,
      },
    },
  });
  try {
    await page.goto(`${own.url}/health`);
    await page.getByLabel('Token').fill(await issuer.token({ scope: 'read' }));
    await page.getByRole('button', { name: 'Use this token' }).click();
    const verdict = page.getByRole('status');
    await expect(verdict).toContainText('4 problems');
    await expect(verdict.getByText('query does not answer')).toBeVisible();
    // No address, no reason, no alert.
    await expect(verdict).not.toContainText('127.0.0.1');
  } finally {
    await own.end('SIGKILL');
    await issuer.close();
  }
});

test('says where the console itself does not answer any more', async ({ page }) => {
  await page.goto('/health');
  await expect(page.locator('[data-service="query"]')).toBeVisible();
  await page.route('**/api/status', (route) => route.abort());
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('alert')).toContainText('The console does not answer.');
  await page.unroute('**/api/status');
  await page.keyboard.press('u');
  await expect(page.getByRole('alert')).toHaveCount(0);
});
