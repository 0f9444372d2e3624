import { existsSync } from 'node:fs';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Debian's Chromium, if it is installed. */
export const executablePath = PATHS.find((path) => existsSync(path));
