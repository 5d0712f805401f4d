import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { makePage } from './render/page.ts';

/**
 * Renders the panels of the dashboard without Grafana, with the results of their queries from a Prometheus server:
 * `node --conditions=lms-source --import tsx infra/observability/render.ts <prometheus URL> <image.png> [minutes]`
 */
const [url, image, minutes = '15'] = process.argv.slice(2);
if (!url || !image) throw new Error('render.ts <prometheus URL> <image.png> [minutes]');

const dashboard = await readFile(join(import.meta.dirname, 'grafana/dashboards/lms.json'), 'utf8');
const to = Math.floor(Date.now() / 1_000);
const span = { from: to - Number(minutes) * 60, to, stepSeconds: Math.max(5, Number(minutes)) };
const { html, width, height } = await makePage(url, JSON.parse(dashboard).panels, span);

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(html);
  await page.screenshot({ path: image });
} finally {
  await browser.close();
}
