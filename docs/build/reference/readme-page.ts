import { posix } from 'node:path';

/**
 * Returns the README of a package as a page in `docs/reference/`. Changes relative links, so that they work on this
 * page.
 */
export function createReadmePage(folder: string, text: string): string {
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/gi, (_link, target: string) => {
    const path = posix.normalize(`${folder}/${target}`);
    return `](${posix.relative('docs/reference', path)})`;
  });
}
