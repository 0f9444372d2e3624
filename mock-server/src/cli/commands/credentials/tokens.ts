import { type Command, Option } from 'commander';
import { addCommand } from '../../command.ts';
import { addGroup } from '../../group.ts';
import { idParser } from '../../ids.ts';
import { addRevoke, liveOption, nameOption, showCredential } from './shared.ts';

/** `svc-mock tokens` */
export function addTokens(program: Command): void {
  const group = addGroup(program, 'tokens', 'create or revoke personal access tokens');
  addCommand<{ user: string; name?: string; live?: true }>(group, {
    usage: 'create',
    summary: 'create a personal access token for a user',
    examples: ['svc-mock tokens create --user usr_…', 'svc-mock tokens create --user usr_… --name CI --json'],
    options: [
      new Option('--user <id>', 'the user that the token is for').argParser(idParser('user')).makeOptionMandatory(),
      nameOption(),
      liveOption('svc_pat_test_'),
    ],
    async run({ control, output }, _args, { user: userId, name, live }) {
      const created = await control.createCredential({ kind: 'personal_access_token', userId, name, test: !live });
      output.result(created, () => showCredential(output, created));
    },
  });
  addRevoke(group, 'personalAccessToken');
}
