import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '@svc/testing';
import { parse } from 'yaml';
import type { GuideBlock } from './guide.ts';
import { openShell, openTerminal, type ShellOptions, type Terminal } from './shell.ts';

/**
 * Follows a guide exactly as written: saves the files, runs the commands, and keeps programs running in their
 * terminals. Throws if a block fails, or has no instructions.
 */
export async function playGuide(blocks: readonly GuideBlock[], options: ShellOptions): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const shell = cleanup.use(openShell(options));
  const terminals = new Map<string, Terminal>();
  for (const block of blocks) {
    try {
      if (block.stops !== undefined) await terminals.get(block.stops)?.stop();
      const terminal = await play(block);
      if (!terminal) continue;
      terminals.set(block.name, terminal);
      cleanup.use(terminal);
    } catch (cause) {
      throw new Error(`The block on line ${block.line}: ${(cause as Error).message}`, { cause });
    }
  }

  async function play({ language, code, file, terminal, prints, isAction, isQuote, line }: GuideBlock) {
    if (language === 'text' || (isQuote && file === undefined)) return undefined;
    if (isAction) return checkAction(code);
    if (file !== undefined) return save(file, code);
    if (terminal === 'whole') return await openTerminal(code, options, prints);
    if (terminal === 'line by line') {
      for (const one of code.trimEnd().split('\n')) await (await openTerminal(one, options)).stop();
    } else if (language === 'sh') await shell.type(code);
    else if (language === 'ts') {
      // The block is a part of a program. The block uses `await`, so save it as a module.
      save(`line-${line}.mts`, code);
      await shell.type(`node line-${line}.mts`);
    } else throw new Error(`No instruction says what to do with a block of ${language}.`);
    return undefined;
  }

  function save(file: string, text: string): undefined {
    mkdirSync(dirname(join(options.cwd, file)), { recursive: true });
    writeFileSync(join(options.cwd, file), text);
  }
}

interface ActionStep {
  id?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
}

function checkAction(code: string): undefined {
  const action = parse(readFileSync(join(root, 'action/action.yml'), 'utf8')) as Record<'inputs' | 'outputs', object>;
  const { steps } = parse(code) as { steps: ActionStep[] };
  const inputs = steps.flatMap((step) => Object.keys(step.id === undefined ? {} : (step.with ?? {})));
  const outputs = [...code.matchAll(/steps\.\w+\.outputs\.([\w-]+)/g)].map(([, name]) => String(name));
  const unknown = [
    ...inputs.filter((name) => !(name in action.inputs)),
    ...outputs.filter((name) => !(name in action.outputs)),
  ];
  if (unknown.length > 0 || outputs.length === 0)
    throw new Error(`The action lacks these inputs or outputs: ${unknown.join(', ')}`);
}
