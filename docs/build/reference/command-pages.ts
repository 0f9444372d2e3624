import { createProgram } from '../../../mock-server/src/cli/program.ts';
import { COMMANDS } from '../../../packages/webhooks/src/cli/commands.ts';
import { usageOf } from '../../../packages/webhooks/src/cli/usage.ts';
import { code, fence, page, plain, sentence, table } from './markdown.ts';

const program = createProgram('', {}, () => {});

type Command = typeof program;
type Option = Command['options'][number];

/** The commands that share a page. `start` is on the configuration page. */
const GROUPS = [
  { file: 'command-deliveries', title: 'Events and deliveries', names: ['trigger', 'listen', 'events', 'deliveries'] },
  { file: 'command-endpoints', title: 'Endpoints', names: ['endpoints'] },
  { file: 'command-tenants', title: 'Workspaces and credentials', names: ['whoami', 'workspaces', 'keys', 'tokens'] },
  { file: 'command-lifecycle', title: 'Time and profiles', names: ['clock', 'profiles', 'evaluate'] },
  {
    file: 'command-server',
    title: 'Faults, snapshots and the server',
    names: ['open', 'doctor', 'faults', 'snapshot', 'reset', 'export', 'import'],
  },
] as const;
const ELSEWHERE = ['start', 'completion', 'complete', 'help'];

/** The pages of the CLI: the output of `--help` for every command. */
export function createCommandPages(): Record<string, string> {
  const named: readonly string[] = [...GROUPS.flatMap(({ names }) => names), ...ELSEWHERE];
  const forgotten = program.commands.map((command) => command.name()).filter((name) => !named.includes(name));
  if (forgotten.length > 0) throw new Error(`Add these commands to a page: ${forgotten.join(', ')}.`);
  const overview = page(
    '# The command `svc-mock`',
    'This is what `--help` prints. [Develop locally](../guides/develop-locally.md) shows the commands at work.',
    fence('text', helpOf(program)),
    '## Every command',
    table(
      ['page', 'commands'],
      [
        ['[Configuration](configuration.md)', code('start')],
        ...GROUPS.map(({ file, title, names }) => [`[${title}](${file}.md)`, names.map(code).join(', ')]),
      ],
    ),
  );
  const leaves = leavesOf(program);
  const pages = GROUPS.map(({ file, title, names }) => [
    file,
    page(
      `# \`svc-mock\`: ${title.toLowerCase()}`,
      'This is what `--help` prints. The [overview](command.md) has every command in a line.',
      ...names.flatMap((top) =>
        leaves
          .filter(({ name }) => name === top || name.startsWith(`${top} `))
          .map(({ name, command }) =>
            page(`## ${code(name)}`, plain(sentence(command.description())), fence('text', helpOf(command))),
          ),
      ),
    ),
  ]);
  return { command: overview, ...Object.fromEntries(pages) };
}

/** The page of the receiver library's command. */
export function createWebhooksCommandPage(): string {
  return page(
    '# The command `svc-webhooks`',
    'It comes with `@svc/webhooks`. It signs, sends and checks messages, and says why a signature does not match: see [test a webhook receiver](../guides/test-a-webhook-receiver.md).',
    fence('text', usageOf(undefined).trimEnd()),
    ...Object.entries(COMMANDS).map(([name, { summary }]) =>
      page(`## ${code(name)}`, plain(sentence(summary)), fence('text', usageOf(name).trimEnd())),
    ),
  );
}

/** The page of the configuration: every option of `start`. */
export function createConfigurationPage(): string {
  const start = program.commands.find((command) => command.name() === 'start');
  if (!start) throw new Error('The program has no command start.');
  const [, notes = ''] = helpOf(start).split(/\n\n(?=SVC_)/);
  return page(
    '# Configuration of the server',
    'Pass an option on the command line, or set the variable of the environment that is named beside it. An option wins.',
    table(
      ['option', 'variable', 'default', 'meaning'],
      start.options
        .filter(({ long }) => long !== '--help')
        .map((option) => [
          code(option.flags),
          option.envVar ? code(option.envVar) : '',
          defaultOf(option),
          plain(sentence(option.description)),
        ]),
    ),
    'These have a variable only:',
    notes
      .trim()
      .split('\n')
      .map((line) => `- ${plain(line.replaceAll(/SVC_\w+/g, '`$&`'))}`)
      .join('\n'),
    '[The reference server](server.md) explains them one by one.',
  );
}

function defaultOf(option: Option): string {
  const value = option.defaultValueDescription ?? option.defaultValue;
  return value === undefined || typeof value === 'boolean' ? '' : code(String(value));
}

/** Every command that does something, by its full name. */
function leavesOf(command: Command, prefix = ''): { name: string; command: Command }[] {
  return command.commands.flatMap((child) => {
    const name = `${prefix}${child.name()}`;
    return child.commands.length > 0 ? leavesOf(child, `${name} `) : [{ name, command: child }];
  });
}

/** The output of `--help`, 100 characters wide. */
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
