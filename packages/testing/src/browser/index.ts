export { APPEARANCE, findings, SIZES } from './axe.ts';
export { executablePath } from './chromium-path.ts';
export { startBrowser } from './start-browser.ts';
