import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../../..');

/** The size that social networks require, in pixels. */
const SIZE = { width: 1200, height: 630 };

const fileUrl = (type: string, path: string) => `data:${type};base64,${readFileSync(path).toString('base64')}`;

/**
 * Draws the picture that social networks show for a link to the site. The picture contains the site's icon, a title,
 * and a screenshot of a delivery.
 */
export async function takeSocialCard(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: SIZE });
  await page.setContent(`<style>
    body { margin: 0; width: ${SIZE.width}px; height: ${SIZE.height}px; overflow: hidden; position: relative;
      background: #eeedfc; color: #16181d; font: 30px/1.4 system-ui, "Liberation Sans", sans-serif }
    img.mark { position: absolute; left: 64px; top: 60px; width: 72px }
    h1 { position: absolute; left: 160px; top: 66px; margin: 0; font-size: 44px; line-height: 60px }
    p { position: absolute; left: 64px; top: 156px; width: 1060px; margin: 0; color: #4a505c }
    img.screen { position: absolute; left: 64px; top: 268px; width: 1072px; border-radius: 12px;
      box-shadow: 0 12px 40px rgb(16 18 27 / 22%) }
  </style>
  <img class="mark" src="${fileUrl('image/svg+xml', join(ROOT, 'docs/public/icon.svg'))}">
  <h1>Workspace Lifecycle Service</h1>
  <p>The SDK, the webhook receiver and a server on your laptop that sends signed, retried events.</p>
  <img class="screen" src="${fileUrl('image/png', join(ROOT, 'docs/pictures/delivery-light.png'))}">`);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  await page.screenshot({ path: join(ROOT, 'docs/public/social-card.png') });
}
