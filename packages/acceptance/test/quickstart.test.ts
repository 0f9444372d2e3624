import { expect, test } from 'vitest';
import { run } from '../src/run.ts';

test('the quickstart example ends with a verified ping and a verified event, and refuses a changed byte', async () => {
  const { status, stdout } = await run('npm', ['run', '--silent', 'example']);
  expect(stdout).toMatch(/Verified +webhook\.ping/);
  expect(stdout).toMatch(/Verified +lifecycle\.evaluated/);
  expect(stdout).toMatch(/GET \/v1\/workspaces\/wsp_\w+ +"Production"/);
  expect(stdout).toMatch(/with one byte changed +401 no_match/);
  expect(status).toBe(0);
});
