import type { DeliveryFaultEffect, FaultDraws, FaultInput, InjectedFault } from '@svc/contract/control/resources';
import { InvalidArgumentError, Option } from 'commander';
import { parserOf, wholeNumber } from '../../config/option-values.ts';
import type { CommandSpec, GroupSpec } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { type Confirmable, durationMsOf, yesOption } from '../options.ts';

const list: CommandSpec = {
  usage: 'list',
  summary: 'list the faults, and how often each was applied',
  examples: ['svc-mock faults list', 'svc-mock faults list --json'],
  async run({ control, output }) {
    const { faults } = await control.listFaults();
    output.list(faults, 'No faults.', (fault) => ({
      ID: fault.id,
      TARGET: fault.target,
      MATCH: pairs(fault.match) || 'everything',
      EFFECT: pairs(fault.effect),
      PROBABILITY: String(fault.probability),
      APPLIED: String(fault.struck),
      REMAINING: fault.remaining === null ? 'unlimited' : String(fault.remaining),
    }));
  },
};

const pairs = (values: InjectedFault['match'] | InjectedFault['effect']) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

interface AddOptions extends Omit<DeliveryFaultEffect, 'delayMs'>, FaultDraws {
  match: Record<string, string>;
  delay?: string;
}

const probability = parserOf((text) => {
  const value = Number(text);
  return value > 0 && value <= 1 ? value : undefined;
}, 'be a number above 0 and at most 1');

const add: CommandSpec<AddOptions> = {
  usage: 'add <target>',
  summary: 'inject a fault into responses of the API (api), or into deliveries (delivery)',
  examples: [
    'svc-mock faults add delivery --match endpointId=whe_… --status 503 --times 2',
    'svc-mock faults add api --match path=/v1/events --delay 2s --probability 0.5',
  ],
  options: [
    new Option(
      '--match <name=value>',
      'apply the fault only if this name has this value; repeatable (names of a request: method, path, workspaceId; names of a delivery: endpointId, workspaceId, eventType, attempt)',
    )
      .default({}, 'everything')
      .argParser(pair),
    new Option('--status <code>', 'respond with this status').argParser(wholeNumber(200, 599)),
    new Option('--delay <duration>', 'wait this long before responding or delivering'),
    new Option(
      '--reset [response]',
      'reset the connection, without handling the request; --reset response handles the request first',
    ).choices(['response']),
    new Option(
      '--drop [response]',
      'never respond, and never handle the request; --drop response handles the request, but does not respond',
    ).choices(['response']),
    new Option('--duplicate', 'send the delivery twice'),
    new Option(
      '--reorder',
      'send the delivery after the next delivery to the same endpoint; wait at most 5 s (change this limit with --delay)',
    ),
    new Option('--times <n>', 'apply the fault at most this many times (default: no limit)').argParser(wholeNumber(1)),
    new Option(
      '--probability <p>',
      'the probability that the fault applies to a matching request or delivery; above 0 and at most 1',
    ).argParser(probability),
    new Option(
      '--random-seed <n>',
      'a seed for the random choices: with the same seed, every run makes the same choices',
    ).argParser(wholeNumber(0, 2 ** 32 - 1)),
  ],
  async run({ control, output }, [target = ''], options) {
    const { fault } = await control.createFault(toFault(target, options));
    output.result(fault, () => `Added ${fault.id}. Remove all faults with: svc-mock faults clear`);
  },
};

function toFault(target: string, options: AddOptions): FaultInput {
  if (target !== 'api' && target !== 'delivery') {
    throw new UsageError(`The target of a fault must be api or delivery, not "${target}".`);
  }
  const { match, status, delay, reset, drop, duplicate, reorder, times, probability, randomSeed } = options;
  if ([status, delay, reset, drop, duplicate, reorder].every((effect) => effect === undefined)) {
    throw new UsageError('Choose a fault: --status, --delay, --reset, --drop, --duplicate or --reorder.');
  }
  const { attempt, ...texts } = match;
  const delayMs = delay === undefined ? undefined : durationMsOf('--delay', delay);
  return {
    target,
    match: { ...texts, ...(attempt !== undefined && { attempt: Number(attempt) }) },
    effect: { delayMs, status, reset, drop, duplicate, reorder },
    times,
    probability,
    randomSeed,
  } as FaultInput;
}

function pair(text: string, all: Record<string, string>): Record<string, string> {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('The value must have the form name=value.');
  return { ...all, [name]: value };
}

const clear: CommandSpec<Confirmable> = {
  usage: 'clear',
  summary: 'end all faults',
  examples: ['svc-mock faults clear', 'svc-mock faults clear --json'],
  // The command asks for no confirmation. It accepts --yes because scripts may pass --yes to every delete command.
  options: [yesOption()],
  async run({ control, output }) {
    await control.clearFaults();
    output.result({ ok: true }, () => 'All faults are removed.');
  },
};

export const faults: GroupSpec = {
  name: 'faults',
  summary: 'list, add or clear injected faults',
  commands: [list, add, clear],
};
