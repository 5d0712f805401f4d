import { access } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import type { Test } from 'tap';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless Chromium, which closes after the test. */
export async function openBrowser(t: Test) {
  await access(executablePath).catch(() => {
    throw new Error(`Chromium not found at ${executablePath}: install the package "chromium" or set CHROMIUM_PATH`);
  });
  const browser = await chromium.launch({ executablePath, args });
  t.teardown(() => browser.close());
  return browser;
}
