import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { docs } from '../.vitepress/navigation.ts';
import { summaryOf } from './llms.ts';
import { page, table } from './reference/markdown.ts';

/**
 * The groups of exports, in the order in which the page lists them. An export is in the first group whose pattern
 * matches its name.
 */
const GROUPS: Readonly<Record<string, readonly (readonly [title: string, names: RegExp])[]>> = {
  '@svc/client': [
    ['Begin here', /^createClient$/],
    ['Errors', /Error$|^is(Api|Service)Error$|^ApiErrorFields$|^ErrorCode$/],
    ['Clients and their options', /Client$|^Clos|^ChangeableOptions$|^Credential$|^WorkspaceScope$|Options$/],
    ['Lists and pages', /^List|^Page|Params$|^Bounds$/],
    ['Calls', /Operations?$|^Call|^Expan|^Follow|^Raw|^Request|^Route|^Signal$/],
    ['Events', /Event|Subject$/],
    ['Ids', /^isId$|Id$|^Id[A-Z]/],
    ['Customize', /^(Fetch|Logger|Middleware|Next|Validation|Evidence|Method)|Schemas?$/],
    [
      'Resources',
      /^(Webhook|Workspace|Organization|Embedded|.*Identity|Identity|Search|Updated?W|Create|Update|Delivery|Role)/,
    ],
    ['Other types', /./],
  ],
  '@svc/webhooks': [
    ['Begin here', /^createWebhooks$|^Webhooks(Options)?$/],
    ['Verify', /[vV]erif|^CheckResult$|^parseSecret$|^Secret|^RequestLimits$/],
    ['Errors', /^WebhookError/],
    ['Deliveries and handlers', /Deliver|^Dispatch|Handler|^ExecutionContext$/],
    ['Run handlers once', /edupe|^ClaimResult$/],
    ['Events', /Event|Pattern|Envelope|Subject$|^PrefixGlob$/],
    ['Requests and responses', /Request|Response|Header|Body|Message$/],
    ['Other types', /./],
  ],
  '@svc/mock-server/testing': [
    ['Begin here', /^startMockService$|^MockService(Options)?$|^createControlClient$/],
    ['Tests', /^(Wait|Receiv|Tenant|Trigger|Snapshot|Mock|Scripted|ClockControl)/],
    ['Faults', /Fault/],
    ['Clock', /Clock/],
    ['Deliveries and endpoints', /Deliver|Attempt|Endpoint|Explanation/],
    ['Profiles and evaluations', /Profile|Evaluat|DataSource|Sync|Schedule|Problem/],
    ['Tenants and credentials', /Organization|Workspace|User|Credential|Member|Seed|Session/],
    ['Other types', /./],
  ],
};

/** Replaces typedoc's list of an entry point's exports with the groups above, and adds a summary of each export. */
export function groupExports(): void {
  for (const [name, groups] of Object.entries(GROUPS)) {
    const [, scope = '', entry = 'index'] = /^(@svc\/[^/]+)(?:\/(.*))?$/.exec(name) ?? [];
    const folder = join(docs, 'api', scope, entry);
    const file = join(folder, 'index.md');
    const links = [...readFileSync(file, 'utf8').matchAll(/^- \[(\w+)\]\((\S+\.md)\)$/gm)];
    const exports = links.map(([, word = '', path = '']) => ({ word, path, summary: summaryAt(join(folder, path)) }));
    const groupOf = ({ word }: { word: string }) => groups.find(([, names]) => names.test(word))?.[0];
    const sections = groups.flatMap(([title]) => {
      const rows = exports.filter((one) => groupOf(one) === title);
      return rows.length === 0
        ? []
        : [
            `## ${title}`,
            table(
              ['export', 'what it is'],
              rows.map(({ word, path, summary }) => [`[${word}](${path})`, summary]),
            ),
          ];
    });
    writeFileSync(file, page(`# Exports of ${name}`, `What \`import { … } from '${name}'\` offers.`, ...sections));
  }
  for (const name of ['@svc/client', '@svc/webhooks', '@svc/mock-server']) {
    nameEntries(join(docs, 'api', name, 'index.md'), name);
  }
}

/** Replaces the names of the entry points on a package's page with the names that a program imports. */
function nameEntries(file: string, name: string): void {
  const text = readFileSync(file, 'utf8').replaceAll(/^- \[(\w+)\]/gm, (_, entry: string) =>
    entry === 'index' ? `- [${name}]` : `- [${name}/${entry}]`,
  );
  writeFileSync(file, text);
}

/**
 * Returns the first sentence of an export's description, or an empty string. Skips the code that typedoc's pages show
 * before the description.
 */
function summaryAt(file: string): string {
  if (!existsSync(file)) return '';
  const prose = readFileSync(file, 'utf8')
    .replaceAll(/```[\s\S]*?```\n/g, '')
    .replaceAll(/\n{3,}/g, '\n\n');
  // If an export has no description, the next section lists its parameters, which do not belong in a summary.
  return summaryOf(prose.split(/\n#+ (?!Call Signature)/)[0] ?? '');
}
