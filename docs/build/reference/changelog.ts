import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { page } from './markdown.ts';

const PACKAGES = {
  '@svc/client': 'packages/client',
  '@svc/webhooks': 'packages/webhooks',
  '@svc/mock-server': 'mock-server',
  '@svc/conformance': 'packages/conformance',
};

/**
 * Creates the page with all changes. For each package, the page has the pending changes, followed by the package's
 * changelog.
 */
export function createChangelog(root: string): string {
  const pending = globSync('.changeset/*.md', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  return page(
    '# Changelog',
    'What each version of the packages changes. [Versioning and deprecation](../versioning.md) says what a version number promises.',
    ...Object.entries(PACKAGES).map(([name, folder]) => {
      const file = join(root, folder, 'CHANGELOG.md');
      const released = existsSync(file) ? readFileSync(file, 'utf8').replace(/^# .*\n/, '') : '';
      const next = pending.flatMap((text) => changesOf(text, name)).join('\n\n');
      return page(`## ${name}`, next && `### Next version\n\n${next}`, released.replaceAll(/^(#+) /gm, '#$1 '));
    }),
  );
}

/** Returns the text of a pending change, or an empty list if the change concerns another package. */
function changesOf(text: string, name: string): string[] {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return head.includes(`"${name}"`) ? [body.trim()] : [];
}
