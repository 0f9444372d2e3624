import { type Command, Option } from 'commander';
import { addCommand } from '../../command.ts';
import { UsageError } from '../../exit.ts';
import type { Output } from '../../output/output.ts';

export const nameOption = () => new Option('--name <text>', 'a name for it');

export const liveOption = (prefix: string) => new Option('--live', `without the prefix ${prefix} of test credentials`);

export const showCredential = (output: Output, { id, credential }: { id: string; credential: string }) =>
  output.fields([
    ['ID', id],
    ['Credential', `${credential}  (shown this once)`],
  ]);

/** Adds the command that revokes a kind of credential. */
export function addRevoke(group: Command, prefix: 'key_' | 'pat_', what: string): void {
  const name = group.name();
  addCommand(group, {
    usage: 'revoke <id>',
    summary: `revoke one; every server refuses it at once. The id begins with ${prefix}`,
    examples: [`svc-mock ${name} revoke ${prefix}…`, `svc-mock ${name} revoke ${prefix}… --json`],
    async run({ control, output }, [id = '']) {
      if (!id.startsWith(prefix)) throw new UsageError(`The id of ${what} begins with ${prefix}, unlike "${id}".`);
      await control.revokeCredential({ credentialId: id });
      output.result({ revoked: id }, () => `Revoked ${id}.`);
    },
  });
}
