import type { CommandLine } from './line.ts';
import { printExactly } from './print.ts';
import { signedMessage } from './signed-message.ts';

/** `svc-webhooks sign`: prints headers, an empty line and the body, in the form that `verify` reads. */
export async function sign(line: CommandLine): Promise<number> {
  const { headers, body } = await signedMessage(line);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  printExactly(`${head.join('')}\n`);
  printExactly(body);
  return 0;
}
