import { createProgram } from '../../../mock-server/src/cli/program.ts';
import { COMMANDS } from '../../../packages/webhooks/src/cli/commands.ts';
import { usageOf } from '../../../packages/webhooks/src/cli/usage.ts';
import { code, fence, page, plain, sentence, table } from './markdown.ts';

const program = createProgram('', {}, () => {});

type Command = typeof program;
type Option = Command['options'][number];

/** The pages and their commands. `start` has no page here, because the guide to the configuration describes it. */
const GROUPS = [
  { file: 'command-events', title: 'Events', names: ['trigger', 'listen', 'events'] },
  { file: 'command-deliveries', title: 'Deliveries', names: ['deliveries'] },
  { file: 'command-endpoints', title: 'Endpoints', names: ['endpoints'] },
  { file: 'command-tenants', title: 'Workspaces and credentials', names: ['whoami', 'workspaces', 'keys', 'tokens'] },
  { file: 'command-lifecycle', title: 'Time and profiles', names: ['clock', 'profiles', 'evaluate'] },
  { file: 'command-faults', title: 'Faults', names: ['faults'] },
  { file: 'command-snapshots', title: 'Snapshots and exports', names: ['snapshot', 'reset', 'export', 'import'] },
  { file: 'command-server', title: 'The dashboard and the doctor', names: ['open', 'doctor'] },
] as const;
const ELSEWHERE = ['start', 'completion', 'complete', 'help'];

/** Creates the pages about `svc-mock`, which show the output of `--help` for each command. */
export function createCommandPages(): Record<string, string> {
  const named: readonly string[] = [...GROUPS.flatMap(({ names }) => names), ...ELSEWHERE];
  const forgotten = program.commands.map((command) => command.name()).filter((name) => !named.includes(name));
  if (forgotten.length > 0) throw new Error(`Add these commands to a page: ${forgotten.join(', ')}.`);
  const leaves = leavesOf(program);
  const shared = sharedOptions(leaves.map(({ command }) => command));
  const overview = page(
    '# The command `svc-mock`',
    'This page shows what `--help` prints. [Run locally](../guides/develop-locally.md) shows the commands in use.',
    fence('text', helpOf(program)),
    '## Find a command',
    table(
      ['page', 'commands'],
      [
        ['[Configure the server](../guides/configuration.md)', code('start')],
        ...GROUPS.map(({ file, title, names }) => [`[${title}](${file}.md)`, names.map(code).join(', ')]),
      ],
    ),
    '## Options of every command',
    'Every command has the options below. The pages of the commands do not repeat these options.',
    optionsTable(shared),
  );
  const pages = GROUPS.map(({ file, title, names }) => [
    file,
    page(
      `# \`svc-mock\`: ${title.toLowerCase()}`,
      `Use ${names.map(code).join(', ')}. Each command also takes the [options of every command](command.md#options-of-every-command).`,
      ...names.flatMap((top) =>
        leaves.filter(({ name }) => name === top || name.startsWith(`${top} `)).map((leaf) => describe(leaf, shared)),
      ),
    ),
  ]);
  return { command: overview, ...Object.fromEntries(pages) };
}

/** Returns the output of `--help` for one command, without the options that every command has. */
function describe({ name, command }: { name: string; command: Command }, shared: readonly Option[]): string {
  const flags = shared.map((option) => option.flags);
  command.configureHelp({
    commandDescription: () => '',
    visibleOptions: (self) => self.options.filter((option) => !flags.includes(option.flags)),
  });
  return page(`## ${code(name)}`, plain(sentence(command.description())), fence('text', helpOf(command)));
}

/**
 * Returns the options that all commands have. `--help` is not included, because Commander does not list it in
 * `options`.
 */
function sharedOptions(commands: readonly Command[]): Option[] {
  const [first, ...others] = commands.filter((command) => !ELSEWHERE.includes(command.name()));
  if (!first) throw new Error('The program has no commands.');
  return first.options.filter(({ flags }) =>
    others.every((command) => command.options.some((option) => option.flags === flags)),
  );
}

/** Creates the page about `svc-webhooks`. */
export function createWebhooksCommandPage(): string {
  return page(
    '# The command `svc-webhooks`',
    'The command is part of `@svc/webhooks`. It signs, sends and checks messages, and says why a signature does not match. See [test a webhook receiver](../guides/test-a-webhook-receiver.md).',
    fence('text', usageOf(undefined).trimEnd()),
    ...Object.entries(COMMANDS).map(([name, { summary }]) =>
      page(`## ${code(name)}`, plain(sentence(summary)), fence('text', usageOf(name).trimEnd())),
    ),
  );
}

const optionsTable = (options: readonly Option[]) =>
  table(
    ['option', 'variable', 'default', 'meaning'],
    options.map((option) => [
      code(option.flags),
      option.envVar ? code(option.envVar) : '',
      defaultOf(option),
      plain(sentence(option.description)),
    ]),
  );

function defaultOf(option: Option): string {
  const value = option.defaultValueDescription ?? option.defaultValue;
  return value === undefined || typeof value === 'boolean' ? '' : code(String(value));
}

/** Returns every command that has no subcommands, with its full name, such as `clock advance`. */
function leavesOf(command: Command, prefix = ''): { name: string; command: Command }[] {
  return command.commands.flatMap((child) => {
    const name = `${prefix}${child.name()}`;
    return child.commands.length > 0 ? leavesOf(child, `${name} `) : [{ name, command: child }];
  });
}

/** Returns the output of `--help`, 100 characters wide. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return text;
}
