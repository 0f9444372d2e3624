import { existsSync } from 'node:fs';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Debian's Chromium, if it is installed. */
export const executablePath = PATHS.find((path) => existsSync(path));

/** A name of an attacker, which the browser of the journeys resolves to this machine. */
export const REBOUND_HOST = 'rebound.attacker.test';
