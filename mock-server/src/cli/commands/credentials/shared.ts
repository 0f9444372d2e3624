import { ID_PREFIXES } from '@svc/contract';
import { type Command, Option } from 'commander';
import { addCommand } from '../../command.ts';
import { idOf } from '../../ids.ts';
import type { Output } from '../../output/output.ts';

export const nameOption = () => new Option('--name <text>', 'a name for the credential');

export const liveOption = (prefix: string) =>
  new Option('--live', `do not create a test credential (prefix ${prefix})`);

export const showCredential = (output: Output, { id, credential }: { id: string; credential: string }) =>
  output.fields([
    ['ID', id],
    ['Credential', `${credential}  (shown only once)`],
  ]);

/** Adds the command that revokes a kind of credential. */
export function addRevoke(group: Command, kind: 'apiKey' | 'personalAccessToken'): void {
  const prefix = ID_PREFIXES[kind];
  const name = group.name();
  addCommand(group, {
    usage: 'revoke <id>',
    summary: `revoke a credential; every server rejects it at once. The id begins with ${prefix}`,
    examples: [`svc-mock ${name} revoke ${prefix}…`, `svc-mock ${name} revoke ${prefix}… --json`],
    async run({ control, output }, [given = '']) {
      const id = idOf(kind, given);
      await control.revokeCredential({ credentialId: id });
      output.result({ revoked: id }, () => `Revoked ${id}.`);
    },
  });
}
