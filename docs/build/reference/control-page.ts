import { code, page, plain, table } from './markdown.ts';
import { describeOperation, type OpenApi, operationsOf } from './operation.ts';

/** The pages of the control API: an overview with one line for each call, and a page for each group. */
export function createControlPages(document: OpenApi): Record<string, string> {
  const operations = operationsOf(document);
  const groups = [...new Set(operations.flatMap(({ operation }) => operation.tags ?? []))];
  const of = (group: string) => operations.filter(({ operation }) => operation.tags?.includes(group));
  const overview = page(
    '# Control API',
    plain(document.info.description),
    'It is part of the reference server only. The real service does not have it. `svc-mock` and `@svc/mock-server/testing` call it for you.',
    ...groups.map((group) =>
      page(
        `## [${group}](${fileOf(group)}.md)`,
        table(
          ['call', 'does'],
          of(group).map(({ method, path, operation }) => [code(`${method} ${path}`), plain(operation.summary)]),
        ),
      ),
    ),
  );
  const pages = groups.map((group) => [
    fileOf(group),
    page(
      `# Control API: ${group.toLowerCase()}`,
      'One group of the [control API](control-api.md) of the reference server.',
      ...of(group).map(({ method, path, operation }) => describeOperation(method, path, operation)),
    ),
  ]);
  return { 'control-api': overview, ...Object.fromEntries(pages) };
}

const fileOf = (group: string) => `control-${group.toLowerCase().replaceAll(' ', '-')}`;
