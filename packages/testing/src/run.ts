import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** The working directory. Default: the root of the repository. */
  cwd?: string;
  input?: string;
}

export function run(command: string, argv: string[], { cwd = root, input }: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end(input);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject).on('close', (status) => resolve({ status, stdout, stderr }));
  });
}
