import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addCommand, type CommandSpec } from '../../../src/cli/command.ts';
import { UsageError } from '../../../src/cli/exit-codes.ts';

/** Runs a command against a server that responds to every request with `null`. Returns the error of the command. */
async function failureOf(run: CommandSpec['run']): Promise<unknown> {
  const server = createServer((_request, response) => response.end('null'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const program = new Command('svc-mock');
  addCommand(program, { usage: 'try', summary: 'try', examples: ['svc-mock try', 'svc-mock try'], run });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failure = await program.parseAsync(['try', '--server', url], { from: 'user' }).catch((error: unknown) => error);
  server.closeAllConnections();
  server.close();
  return failure;
}

test.each([new TypeError('no field.'), new RangeError('no field.')])(
  'After a response, a %s means that the command cannot use the response',
  async (error) => {
    const failure = await failureOf(async ({ control }) => {
      await control.readClock();
      throw error;
    });
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^Cannot use a response from the server at http:\S+: no field\. Is the server /),
      cause: error,
    });
  },
);

test('Before the first response, a TypeError is a bug of the command', async () => {
  const error = new TypeError('no field.');
  expect(await failureOf(() => Promise.reject(error))).toBe(error);
});

test('An admin token that no header can contain is refused without quoting it', async () => {
  const program = new Command('svc-mock');
  const examples: CommandSpec['examples'] = ['svc-mock try', 'svc-mock try'];
  addCommand(program, { usage: 'try', summary: 'try', examples, run: async () => {} });
  const argv = ['try', '--admin-token', 'secret\nsecond line'];
  const failure = await program.parseAsync(argv, { from: 'user' }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(/^Cannot connect: The admin token contains white space or another character/),
  });
  expect(String(failure)).not.toContain('secret');
});

test('After a response, any other error is reported as it is', async () => {
  const error = new Error('no field.');
  const failure = await failureOf(async ({ control }) => {
    await control.readClock();
    throw error;
  });
  expect(failure).toBe(error);
});
