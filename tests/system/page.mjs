// Opens one HTML file in headless chromium and prints what a reader would see as JSON; exits 1 on an error or an outside request.
// Usage: node page.mjs PAGE.html SCREENSHOT.png
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../../.cache/browser/', import.meta.url));
const { chromium } = require('playwright-core');

const [file, screenshot] = process.argv.slice(2);
const address = pathToFileURL(resolve(file)).href;

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});

const errors = [];
const requests = [];
let seen;
try {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  // A self-contained page asks for nothing but itself; whatever else it asks for is noted and not let out.
  await context.route('**/*', (route) => {
    const url = route.request().url();
    if (url === address || /^(data|blob):/.test(url)) return route.continue();
    requests.push(url);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('websocket', (socket) => requests.push(socket.url()));
  await page.goto(address, { waitUntil: 'load' });
  await page.waitForTimeout(500); // late scripts and lazy images get their chance to misbehave

  seen = await page.evaluate(() => ({
    title: document.title,
    headings: [...document.querySelectorAll('h1, h2, h3')].map((h) => h.textContent.trim()),
    text: document.body.innerText,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  if (screenshot) await page.screenshot({ path: screenshot, fullPage: true });
} finally {
  await browser.close();
}

console.log(JSON.stringify({ ...seen, errors, requests }));
process.exitCode = errors.length + requests.length > 0 ? 1 : 0;
