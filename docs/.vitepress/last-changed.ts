import { spawnSync } from 'node:child_process';
import { docs } from './navigation.ts';

/**
 * Maps each page's path below `docs` to the time of the last commit to the page, in milliseconds since 1970. VitePress
 * itself would start Git once for each page, which is slow: the site has 400 generated pages.
 */
export const lastChanged: ReadonlyMap<string, number> = new Map(commits().reverse());

/**
 * Returns each changed page with the time of its commit, newest first. Without Git, for example in an unpacked archive,
 * the result is empty.
 */
function commits(): [path: string, at: number][] {
  const log = ['log', '--format=@%ct', '--name-only', '--relative', '--', '.'];
  const { stdout } = spawnSync('git', log, { cwd: docs, encoding: 'utf8', maxBuffer: 2 ** 30 });
  let at = 0;
  return (stdout ?? '').split('\n').flatMap((line): [string, number][] => {
    if (line.startsWith('@')) at = Number(line.slice(1)) * 1000;
    return line === '' || line.startsWith('@') ? [] : [[line, at]];
  });
}
