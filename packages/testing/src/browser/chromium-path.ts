import { existsSync } from 'node:fs';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Debian's Chromium, if it is installed. */
export const executablePath = PATHS.find((path) => existsSync(path));

/** Debian's Chromium. Without it, prints one line and ends the process. */
export function chromiumOrExit(): string {
  if (executablePath !== undefined) return executablePath;
  console.error("Needs Debian's chromium: apt-get install chromium");
  process.exit(1);
}
