import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const text = 'a\u001b]52;c;aGk=\u0007\u009b2J\u202e';
const logger = JSON.stringify(new URL('../../../src/runtime/logger.ts', import.meta.url).href);

/** What a log of this format writes to standard error for a hostile text. */
function logged(format: 'json' | 'text'): string {
  const code = `import { createLogger } from ${logger};
    createLogger('info', '${format}').info({ error: ${JSON.stringify(text)} }, ${JSON.stringify(text)});`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stderr;
}

test('a line of the log has no control characters, as JSON and as text', () => {
  const line = logged('json');
  expect(line).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(line)).toMatchObject({ error: text, msg: text });
  expect(logged('text')).toMatch(/^[ -~]+\n$/);
});

test('a line of the log has no credential, secret or admin token, wherever the caller put it', () => {
  const secrets = ['svc_sk_live_abcdefgh', 'whsec_MfKQ9r8GKYqrTwjU', 'let-me-in-with-thirty-two-letters'];
  const text = `${secrets.join(' ')} postgres://me:hunter2@db.test/x`;
  const code = `import { createLogger } from ${logger};
    createLogger('info', 'json', '${secrets[2]}').info({ err: new Error('${text}'), path: '/${text}' }, '${text}');`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  const shown = 'svc_[redacted] whsec_[redacted] [redacted] postgres://[redacted]@db.test/x';
  expect(JSON.parse(stderr)).toMatchObject({ err: { message: shown }, path: `/${shown}`, msg: shown });
  expect([...secrets, 'hunter2'].filter((secret) => stderr.includes(secret))).toEqual([]);
});

test.each([
  ['json', '"dropped":'],
  ['text', 'WARN  lines of the log were dropped, because nothing reads standard error fast enough dropped='],
] as const)(
  'as %s, a log whose reader stalls keeps nobody waiting and says how many lines it dropped',
  async (format, dropped) => {
    const code = `import { writeSync } from 'node:fs';
    import { createLogger, flushLog } from ${logger};
    const log = createLogger('info', '${format}');
    for (let line = 0; line < 4_000; line += 1) log.info('a'.repeat(1_000));
    writeSync(1, 'logged');
    await flushLog();
    process.exit();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
    await once(child.stdout, 'data');
    let text = '';
    for await (const chunk of child.stderr.setEncoding('utf8')) text += chunk;
    const lines = text.trimEnd().split('\n');
    const [, count] = lines.at(-1)?.split(dropped) ?? [];
    expect(lines.length - 1 + Number.parseInt(count ?? '', 10)).toBe(4_000);
  },
);
