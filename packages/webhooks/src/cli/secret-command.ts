import { generateSecret } from '../generate-secret.ts';
import { parseSecret } from '../secret.ts';
import { type CommandLine, secretsOrThrow } from './line.ts';
import { print } from './print.ts';

/** `svc-webhooks secret`: prints a new secret, or checks whether the given secrets are well-formed. */
export async function checkOrDrawSecret(line: CommandLine): Promise<number> {
  if (!line.check) {
    print(`${generateSecret()}\n`);
    return 0;
  }
  for (const secret of secretsOrThrow(line)) print(`well-formed, ${parseSecret(secret).length} bytes\n`);
  return 0;
}
