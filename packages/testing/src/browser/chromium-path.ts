import { existsSync } from 'node:fs';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** The path of Debian's Chromium, if it is installed. */
export const executablePath = PATHS.find((path) => existsSync(path));

/** Returns the path of Debian's Chromium. If Chromium is not installed, prints one line and ends the process. */
export function chromiumOrExit(): string {
  if (executablePath !== undefined) return executablePath;
  console.error("This command needs Debian's chromium: apt-get install chromium");
  process.exit(1);
}
