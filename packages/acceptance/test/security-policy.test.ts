import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { expect, test } from 'vitest';

/** The text of a page from a heading up to the next heading. */
function sectionOf(file: string, heading: string): string {
  const sections = readFileSync(join(root, file), 'utf8').split(/^## /m);
  return sections.find((text) => text.startsWith(`${heading}\n`))?.trim() ?? `${file} has no section "${heading}"`;
}

test.each(['What a web page that you visit cannot do', 'What a tenant cannot do'])(
  'SECURITY.md and the security model have the same promises: %s',
  (heading) => {
    expect(sectionOf('SECURITY.md', heading)).toBe(sectionOf('docs/security-model.md', heading));
    expect(sectionOf('SECURITY.md', heading)).toMatch(/ cannot:\n\n- /);
  },
);
