import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { expect, test } from 'vitest';

/** What a line says, without what differs between runs. */
const labelOf = (line: string) => String(line.split(/ {2,}| (?=")/)[0]).replaceAll(/_[\w…]+/g, '_');

const recorded = [
  ...readFileSync(join(root, 'docs/pictures/example.svg'), 'utf8').matchAll(
    /<g class="line"[^>]*>\s*<text[^>]*>\s*([^<]*?)\s*</g,
  ),
].map(([, text]) => labelOf(String(text)));

test('the quickstart example ends with a verified ping and a verified event, and refuses a changed byte', async () => {
  const { status, stdout } = await run('npm', ['run', '--silent', 'example']);
  expect(stdout).toMatch(/Verified +webhook\.ping/);
  expect(stdout).toMatch(/Verified +lifecycle\.evaluated/);
  expect(stdout).toMatch(/GET \/v1\/workspaces\/wsp_\w+ +"Production"/);
  expect(stdout).toMatch(/with one byte changed +401 no_match/);
  expect(status).toBe(0);
  // The recording on the home page is of this program: `npm run recording`.
  expect(recorded).toEqual(stdout.trim().split('\n').map(labelOf));
});
