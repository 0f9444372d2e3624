import { describeGroup, pagedNote, purposeOf } from './api-pages.ts';
import { page, plain, sentence, table } from './markdown.ts';
import { type OpenApi, operationsOf } from './operation.ts';

/** Creates the pages about the control API: one page that lists all calls, and one page for each group. */
export function createControlPages(document: OpenApi): Record<string, string> {
  const operations = operationsOf(document);
  const groups = (document.tags ?? []).map(({ name }) => name);
  const of = (group: string) => operations.filter(({ operation }) => operation.tags?.includes(group));
  const overview = page(
    '# Control API',
    plain(document.info.description),
    'Only the reference server has this API. The real service does not have it. `svc-mock` and `@svc/mock-server/testing` call it for you.',
    table(
      ['page', 'calls'],
      groups.map((group) => [
        `[${group}](${fileOf(group)}.md)`,
        of(group)
          .map(({ operation }) => plain(sentence(operation.summary)))
          .join(' '),
      ]),
    ),
  );
  const pages = groups.map((group) => [
    fileOf(group),
    page(
      `# Control API: ${group.toLowerCase()}`,
      purposeOf(of(group)),
      [
        'These calls belong to the [control API](control-api.md) of the reference server.',
        ...pagedNote(of(group)),
      ].join(' '),
      describeGroup(of(group), document),
    ),
  ]);
  return { 'control-api': overview, ...Object.fromEntries(pages) };
}

const fileOf = (group: string) => `control-${group.toLowerCase().replaceAll(' ', '-')}`;
