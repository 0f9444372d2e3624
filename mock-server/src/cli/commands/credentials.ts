import { ID_PREFIXES } from '@svc/contract';
import { Option } from 'commander';
import type { CommandSpec, GroupSpec } from '../command.ts';
import { idOf, idParser, yesOption } from '../options.ts';
import type { Output } from '../output/output.ts';

interface Named {
  name?: string;
  live?: true;
}

const namedOptions = (prefix: string) => [
  new Option('--name <text>', 'a name for the credential'),
  new Option('--live', `create a live credential instead of a test credential (${prefix}…)`),
];

const show = (output: Output, created: { id: string; credential: string }) =>
  output.show(created, { ID: created.id, Credential: `${created.credential}  (shown only once)` });

function revoke(group: string, kind: 'apiKey' | 'personalAccessToken'): CommandSpec {
  const prefix = ID_PREFIXES[kind];
  return {
    usage: 'revoke <id>',
    summary: `revoke the credential with this id (${prefix}…); all servers reject the credential immediately`,
    examples: [`svc-mock ${group} revoke ${prefix}…`, `svc-mock ${group} revoke ${prefix}… --json`],
    // The command accepts --yes but does not ask for confirmation: scripts may pass --yes to every delete command.
    options: [yesOption()],
    async run({ control, output }, [given = '']) {
      const id = idOf(kind, given);
      await control.revokeCredential({ credentialId: id });
      output.result({ revoked: id }, () => `Revoked ${id}.`);
    },
  };
}

const createKey: CommandSpec<Named & { workspace: string }> = {
  usage: 'create',
  summary: 'create an API key for a workspace',
  examples: ['svc-mock keys create --workspace wsp_…', 'svc-mock keys create --workspace wsp_… --name CI --json'],
  options: [
    new Option('--workspace <id>', 'the workspace that the key can access')
      .argParser(idParser('workspace'))
      .makeOptionMandatory(),
    ...namedOptions('svc_sk_test_'),
  ],
  async run({ control, output }, _args, { workspace: workspaceId, name, live }) {
    show(output, await control.createCredential({ kind: 'api_key', workspaceId, name, test: !live }));
  },
};

const createToken: CommandSpec<Named & { user: string }> = {
  usage: 'create',
  summary: 'create a personal access token for a user',
  examples: ['svc-mock tokens create --user usr_…', 'svc-mock tokens create --user usr_… --name CI --json'],
  options: [
    new Option('--user <id>', 'the user that the token belongs to').argParser(idParser('user')).makeOptionMandatory(),
    ...namedOptions('svc_pat_test_'),
  ],
  async run({ control, output }, _args, { user: userId, name, live }) {
    show(output, await control.createCredential({ kind: 'personal_access_token', userId, name, test: !live }));
  },
};

export const keys: GroupSpec = {
  name: 'keys',
  summary: 'create or revoke API keys',
  commands: [createKey, revoke('keys', 'apiKey')],
};

export const tokens: GroupSpec = {
  name: 'tokens',
  summary: 'create or revoke personal access tokens',
  commands: [createToken, revoke('tokens', 'personalAccessToken')],
};
