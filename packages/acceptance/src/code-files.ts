import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';

/**
 * Reads all TypeScript and JavaScript files in the repository, and returns their contents by path. The result includes
 * files that are not committed yet.
 */
export async function codeFiles(): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate']);
  const files = stdout.split('\n').filter((file) => /\.[cm]?[jt]sx?$/.test(file) && existsSync(join(root, file)));
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}
