import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { expect, test } from 'vitest';

// npx installs what it does not find. Nobody has to own the names of our commands on npm, only those of the packages. So
// a text that a reader may paste anywhere names the package.

/** A command by its own name, with npx or its relatives. */
const BY_COMMAND = /\b(?:npx|bunx|dlx|npm exec)(?: -y| --yes| --)* svc-(mock|webhooks|conformance)\b/;

const PACKAGE_OF: Readonly<Record<string, string>> = {
  mock: '@svc/mock-server',
  webhooks: '@svc/webhooks',
  conformance: '@svc/conformance',
};

/** Whether a line installs the package: by its name, from its tarball, or in a clone of the repository. */
const installs = (line: string, name: string) =>
  /\bnpm ci\b/.test(line) || (/\bnpm (?:install|i|add)\b/.test(line) && (line.includes(name) || line.includes('.tgz')));

/** The lines of a text that run a command before a line has installed its package. */
function unsafeLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.filter((line, at) => {
    const [, command] = BY_COMMAND.exec(line) ?? [];
    const name = command && PACKAGE_OF[command];
    return name && !lines.slice(0, at).some((before) => installs(before, name));
  });
}

test('Every text runs a command by the name of its package, unless a line before it installs the package', async () => {
  const { stdout } = await run('git', ['ls-files']);
  const texts = stdout
    .trim()
    .split('\n')
    .filter((path) => /\.(?:md|tsx?|m?js|ya?ml|json|vue|html)$|Dockerfile/.test(path) && !/(?:^|\/)test\//.test(path));
  expect(texts.length).toBeGreaterThan(500);
  const unsafe = texts.flatMap((path) =>
    unsafeLines(readFileSync(join(root, path), 'utf8')).map((line) => [path, line]),
  );
  expect(unsafe).toEqual([]);
});

test.each([
  ['npx svc-mock', 1],
  ['Run `npx --yes svc-webhooks verify`', 1],
  ['npm install @svc/client\nnpx svc-mock', 1],
  ['npm install @svc/webhooks\nnpx svc-mock', 1],
  ['npx svc-mock\nnpm install @svc/mock-server', 1],
  ['npx svc-conformance --url https://service.test', 1],
  ['npx @svc/conformance --url https://service.test', 0],
  ['npx @svc/mock-server trigger lifecycle.evaluated', 0],
  ['npx -p @svc/webhooks svc-webhooks secret', 0],
  ['npm install --save-dev @svc/mock-server\nnpx svc-mock', 0],
  ['npm install ../svc-*.tgz\nnpx svc-mock\nnpx svc-webhooks', 0],
  ['npm ci\nnpx svc-mock', 0],
])('of %j, %i lines are found', (text, found) => {
  expect(unsafeLines(text)).toHaveLength(found);
});
