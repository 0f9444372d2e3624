import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { expect, test } from 'vitest';

const PAGES = ['README.md', 'docs/*.md', 'docs/guides/*.md', 'packages/*/README.md', 'mock-server/README.md'];
/** A call of the client, a path of `fetch` or `curl`, or a mocked route. */
const CALL =
  /\b(?:svc|user|scoped)\.((?:me|search|follow|request|workspaces|organizations|webhooks|events)\b[\w.]*)\(|(\/v1\/[\w/-]+)/g;
/** The routes whose shapes the service document does not show. */
const NOT_SHOWN = /^(?:me\.|search|\/v1\/me|\/v1\/search)/;

/** The first call in the blocks of code of a page. */
function firstCallIn(text: string): string | undefined {
  const code = [...text.matchAll(/^```(?:ts|js|sh)\n([\s\S]*?)^```/gm)].map(([, block]) => block).join('\n');
  const [first] = code.matchAll(CALL);
  return first?.[1] ?? first?.[2];
}

test('The first call of every page uses a route whose shape the service document shows', () => {
  const calls = globSync(PAGES, { cwd: root }).map((page) => ({
    page,
    call: firstCallIn(readFileSync(join(root, page), 'utf8')),
  }));
  expect(calls.filter(({ call }) => call !== undefined).length).toBeGreaterThan(15);
  expect(calls.filter(({ call }) => call !== undefined && NOT_SHOWN.test(call))).toEqual([]);
});

test.each([
  ['await svc.me.retrieve();', true],
  ["curl 'http://127.0.0.1:4010/v1/search?q=ada'", true],
  ["await svc.workspaces.retrieve('wsp_1'); await svc.me.retrieve();", false],
])('%s: the shape of its first call is not shown: %s', (code, isNotShown) => {
  expect(NOT_SHOWN.test(String(firstCallIn(`\`\`\`ts\n${code}\n\`\`\`\n`)))).toBe(isNotShown);
});
