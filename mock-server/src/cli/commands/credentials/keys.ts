import { type Command, Option } from 'commander';
import { addCommand } from '../../command.ts';
import { addGroup } from '../../group.ts';
import { idParser } from '../../ids.ts';
import { addRevoke, liveOption, nameOption, showCredential } from './shared.ts';

/** `svc-mock keys` */
export function addKeys(program: Command): void {
  const group = addGroup(program, 'keys', 'create or revoke API keys');
  addCommand<{ workspace: string; name?: string; live?: true }>(group, {
    usage: 'create',
    summary: 'create an API key for a workspace',
    examples: ['svc-mock keys create --workspace wsp_…', 'svc-mock keys create --workspace wsp_… --name CI --json'],
    options: [
      new Option('--workspace <id>', 'the workspace that the key is for')
        .argParser(idParser('workspace'))
        .makeOptionMandatory(),
      nameOption(),
      liveOption('svc_sk_test_'),
    ],
    async run({ control, output }, _args, { workspace: workspaceId, name, live }) {
      const created = await control.createCredential({ kind: 'api_key', workspaceId, name, test: !live });
      output.result(created, () => showCredential(output, created));
    },
  });
  addRevoke(group, 'apiKey');
}
