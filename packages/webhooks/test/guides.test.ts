import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const files = [
  ...readdirSync(new URL('docs/guides/', root)).map((name) => `docs/guides/${name}`),
  'docs/index.md',
  'packages/webhooks/README.md',
];

/** A block of code after a comment that names the region it quotes. */
const QUOTE = /<!-- (\S+?)#(\w+) -->\n```(?:tsx?|js)\n([\s\S]*?)```/g;

const quotes = files.flatMap((file) =>
  [...readFileSync(new URL(file, root), 'utf8').matchAll(QUOTE)].map(([, source, region, code]) => ({
    file,
    source,
    region,
    code,
  })),
);

describe('the guides', () => {
  it.each(quotes)('$file quotes $source#$region as it is compiled', ({ source = '', region = '', code }) => {
    const text = readFileSync(new URL(source, root), 'utf8');
    const quoted = text.split(`// #region ${region}\n`)[1]?.split(`// #endregion ${region}`)[0];
    expect(code).toBe(quoted);
    expect(code, 'complete, with its imports').toMatch(/^(import |const .* = require)/);
  });

  it('quote something', () => {
    expect(quotes.length).toBeGreaterThan(10);
  });
});
