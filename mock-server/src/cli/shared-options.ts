import { type Command, Option } from 'commander';
import { UsageError } from './exit-codes.ts';
import { closest, pathOf, rejectUnknown } from './unknown-command.ts';

/** The options of every command except `start`, which defines some of them itself. */
export interface SharedOptions {
  server: string;
  adminToken?: string;
  apiKey?: string;
  json?: true;
}

export const sharedOptions = (): Option[] => [
  new Option('--server <url>', 'the URL of the server').env('SVC_BASE_URL').default('http://127.0.0.1:4010'),
  new Option('--admin-token <token>', 'the admin token, if the server requires it').env('SVC_ADMIN_TOKEN'),
  new Option('--api-key <key>', 'the credential for the API (default: the first demo key that the server accepts)').env(
    'SVC_API_KEY',
  ),
  new Option('--json', 'print JSON: one document, or one line for each item of a stream'),
];

const TAKES_VALUE = new Map(sharedOptions().map(({ long, required }) => [String(long), required]));

/**
 * Moves shared options after the name of the command, because Commander recognizes them only there:
 * `--json deliveries list` becomes `deliveries list --json`. Without a command, the options belong to `start`.
 */
export function moveSharedOptions(program: Command, argv: readonly string[]): string[] {
  const names: string[] = [];
  const moved: string[] = [];
  const rest = [...argv];
  let inside = program;
  for (let word = rest[0]; word !== undefined; word = rest[0]) {
    const length = sharedLength(word);
    const command = inside.commands.find((one) => one.name() === word);
    if (length > 0) moved.push(...rest.splice(0, length));
    else if (command) {
      names.push(...rest.splice(0, 1));
      inside = command;
    } else {
      // In `svc-mock --server x trigr`, the option is right, and the command is not.
      if (moved.length > 0 && inside === program && !word.startsWith('-')) rejectUnknown(program, [word]);
      rejectMisspelled(word, inside);
      break;
    }
  }
  return names.length === 0 ? [...argv] : [...names, ...moved, ...rest];
}

/** How many words the shared option takes, including its value. 0 if the word is not a shared option. */
function sharedLength(word: string): 0 | 1 | 2 {
  const [name = ''] = word.split('=', 1);
  const takesValue = TAKES_VALUE.get(name);
  if (takesValue === undefined) return 0;
  return takesValue && !word.includes('=') ? 2 : 1;
}

/** Throws if `word` is more similar to a shared option than to the options of the group's commands. */
function rejectMisspelled(word: string, group: Command): void {
  const [name = ''] = word.split('=', 1);
  if (!name.startsWith('--') || group.commands.length === 0) return;
  const known = [group, ...group.commands].flatMap(({ options }) => options.map(({ long }) => String(long)));
  const meant = closest(name, [...known, '--help']);
  if (meant === undefined || !TAKES_VALUE.has(meant)) return;
  throw new UsageError(`unknown option '${name}' (Did you mean ${meant}?). Try: ${pathOf(group)} --help`);
}
