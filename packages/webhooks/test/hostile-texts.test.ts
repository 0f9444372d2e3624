import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECRET } from './support/message.ts';
import { runCli } from './support/run-cli.ts';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Writes the clipboard, clears the screen, turns the direction, and forges a line. */
const HOSTILE = '\u001b]52;c;aGk=\u0007\u009b2J\u202e\u2028\rforged';
const SHOWN = '\\u001b]52;c;aGk=\\u0007\\u009b2J\\u202e\\u2028\\rforged';

/** Runs the command while this process answers it. */
async function send(url: string) {
  const child = spawn(process.execPath, [cli, 'send', url, '-s', SECRET, '--id', 'whd_1']);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    stdout += piece;
  });
  await once(child, 'close');
  return stdout.replace(/\d+ ms/, 'n ms');
}

describe("A text of others that svc-webhooks prints can't act on a terminal", () => {
  let url: string;
  const server = createServer((_, response) => response.end(`${HOSTILE}\r\n\tsecond line`));
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.close();
  });

  it('in the body of a response, which keeps its lines', async () => {
    expect(await send(url)).toBe(`whd_1: 200 OK in n ms\n${SHOWN}\n\tsecond line\n`);
  });

  it('in a captured request', () => {
    const body = JSON.stringify({ id: 'evt_1', type: `a${HOSTILE}\nb`, created: '2031-01-01T00:00:00.000Z' });
    const signed = runCli(['sign', '-s', SECRET, '-b', '-'], body);
    expect(runCli(['verify', '-s', SECRET], signed.stdout)).toMatchObject({
      status: 0,
      stdout: `ok     signature: the secret verifies the request: a${SHOWN}\\nb (not in the catalog), event evt_1\n`,
    });
  });

  it.each([
    [['verify', '-s', SECRET, '-H', `${HOSTILE}\nmore`], 'Not a header: '],
    [['verify', '-s', SECRET, `/no/such/${HOSTILE}`], 'Cannot read /no/such/'],
    [[HOSTILE], 'No such command: '],
  ])('in an argument: %j', (args, says) => {
    const { stderr } = runCli(args);
    expect(stderr).toContain(says + SHOWN.slice(0, 20));
    expect(stderr).toMatch(/^[\n -~…]+$/);
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  });
});

it('a signed message is printed byte for byte, because another program reads it', () => {
  const { stdout } = runCli(['sign', '-s', SECRET, '-b', '-'], HOSTILE);
  expect(stdout.endsWith(`\n\n${HOSTILE}`)).toBe(true);
});
