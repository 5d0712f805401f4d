import { mkdir } from 'node:fs/promises';
import { openBrowser } from '@lms/testing/browser';
import t from 'tap';
import { createUser, gatewayUrl } from './system.ts';

const screenshot = 'artifacts/reference.png';

t.test('a user signs in from the API docs and sends a request', async (t) => {
  await mkdir('artifacts', { recursive: true });
  const reader = await createUser('reader');
  const browser = await openBrowser(t);
  const page = await browser.newPage({ viewport: { width: 1280, height: 1024 } });
  // A busy machine takes long to draw the page.
  page.context().setDefaultTimeout(120_000);
  const refused: string[] = [];
  page.on('requestfailed', (request) => refused.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));

  await page.goto(`${gatewayUrl}/api/docs`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.modal-ux .auth-container', { hasText: 'authorizationCode' });
  const popupOpens = page.waitForEvent('popup');
  await dialog.locator('button.authorize').click();
  const popup = await popupOpens;
  await popup.getByLabel(/e-?mail/i).fill(reader.email);
  await popup.getByLabel(/password/i).fill('password');
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('button').first().click()]);
  await dialog.getByRole('button', { name: /logout|remove authorization/i }).waitFor();
  await page.locator('.modal-ux .close-modal').click();

  const operation = page.locator('#operations-Account-getProfile');
  await operation.locator('.opblock-summary').click();
  const execute = operation.locator('button.execute');
  await execute.click();
  const response = operation.locator('.live-responses-table .response-col_description .highlight-code').first();
  await response.waitFor();
  await operation.scrollIntoViewIfNeeded();
  await page.screenshot({ path: screenshot });
  t.match(await response.textContent(), reader.email, 'the response has the profile of the user');
  t.strictSame(refused, [], 'no request failed');
});
