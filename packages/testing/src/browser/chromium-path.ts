import { existsSync } from 'node:fs';

/** The headless browser. Tests need less processor time with this browser than with the normal browser. */
const SHELL = '/usr/bin/chromium-headless-shell';

const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

const findOne = (paths: readonly string[]) => paths.find((path) => existsSync(path));

/** The path of Debian's Chromium for tests, or `undefined` if Chromium is not installed. */
export const executablePath = findOne([SHELL, ...WHOLE]);

/** Returns the path of Chromium. If Chromium is not installed, prints one line and ends the process. */
export function chromiumOrExit(): string {
  // Prefer the normal browser, because benchmarks must measure the browser that people use.
  const path = findOne([...WHOLE, SHELL]);
  if (path !== undefined) return path;
  console.error("This command needs Debian's chromium: apt-get install chromium");
  process.exit(1);
}
