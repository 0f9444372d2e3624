import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startProxy } from './support/proxy.ts';

const AWAY = 'cannot reach the database; deliveries will resume when the database is back';

/** Returns the first line in which the command reports that it cannot reach its database. */
async function firstLine(...options: string[]): Promise<string> {
  await using database = await createTestDatabase();
  await using proxy = await startProxy(database.url);
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const child = spawn('node', [main, '--port', '0', '--database', proxy.url, ...options], {
    env: { ...process.env, SVC_MASTER_KEY: TEST_MASTER_KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    await once(child.stdout, 'data');
    await proxy.cut();
    for await (const line of createInterface(child.stderr)) if (line.includes(AWAY)) return line;
    throw new Error('It ended and did not tell.');
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    // Reopen the proxy, because disposing of it closes it.
    await proxy.mend();
  }
}

describe('The log of the command', () => {
  test('is readable text', async () => {
    expect(await firstLine()).toMatch(
      new RegExp(`^[\\d-]+T[\\d:.]+Z ERROR ${AWAY} retryInMs=100: The database is unavailable: [^{}]+$`),
    );
  });

  test('with --json is JSON lines, and an error names its cause once', async () => {
    const { err, msg, level } = JSON.parse(await firstLine('--json'));
    expect({ msg, level }).toEqual({ msg: AWAY, level: 50 });
    expect(err.message).toBe(`The database is unavailable: ${err.cause.message}`);
  });
});
