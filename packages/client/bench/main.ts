import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printHelpIfAsked } from '../../../scripts/usage.ts';
import { iterationMegabytes, overheadMicroseconds } from './calls.ts';
import { installAlone, weigh } from './installed.ts';
import { addedBytes, addedLines, coldMs } from './measures.ts';
import { anchors, own } from './subjects.ts';

printHelpIfAsked(`
Compares our package with other SDKs, in one run on one machine.

  npm run bench -- client
`);

const packed = mkdtempSync(join(tmpdir(), 'svc-client-'));
execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed], {
  cwd: join(import.meta.dirname, '..'),
});
const [tarball = ''] = execFileSync('ls', [packed], { encoding: 'utf8' }).split('\n');

const rows = [];
for (const subject of [own(join(packed, tarball)), ...anchors]) {
  const folder = installAlone(subject);
  const { bytes, packages } = await weigh(folder);
  rows.push({
    package: subject.install.includes(packed) ? subject.name : subject.install,
    'for browsers, KB': +((await addedBytes(folder, subject.line, { platform: 'browser' })) / 1000).toFixed(1),
    'for Node, KB': +((await addedBytes(folder, subject.line, { platform: 'node' })) / 1000).toFixed(1),
    'installed MB': +(bytes / 1e6).toFixed(2),
    packages,
    'cold ms': +coldMs(folder, subject).toFixed(1),
    'cold ms, fetch loaded': +coldMs(folder, subject, { fetchLoaded: true }).toFixed(1),
    'cold ms, CommonJS': +coldMs(folder, subject, { commonJs: true }).toFixed(1),
    'tsc lines added': addedLines(folder, subject),
  });
}
console.table(rows);

const folder = installAlone(own(join(packed, tarball)));
const client = "import { createClient } from '@svc/client'; console.log(createClient);";
const all = (name: string) => `import * as all from '${name}'; console.log(all);`;
const forBrowsers = (program: string) => addedBytes(folder, program, { platform: 'browser' });
const full = await forBrowsers(client);
const fullInNode = await addedBytes(folder, client, { platform: 'node' });
const ownCode = await addedBytes(folder, client, { platform: 'browser', external: ['ky'] });
const schemas = await forBrowsers(all('@svc/client/schemas'));
const zod = await forBrowsers(all('zod'));
const { first, last, most } = await iterationMegabytes();
console.table([
  { measure: 'full client for browsers, min+gz, bytes', value: full, target: 16_500 },
  { measure: 'full client for Node, min+gz, bytes', value: fullInNode, target: 16_750 },
  { measure: 'own code, bytes', value: ownCode, target: 8000 },
  { measure: '/schemas with zod, bytes', value: schemas, target: 33_000 },
  { measure: 'all of zod, bytes', value: zod },
  {
    measure: 'a call in addition to its fetch, ms',
    value: +((await overheadMicroseconds()) / 1000).toFixed(3),
    target: 0.1,
  },
  { measure: 'heap after 50,000 of a million rows, MB', value: +first.toFixed(1) },
  { measure: 'heap after a million rows, MB', value: +last.toFixed(1), target: 'flat' },
  { measure: 'largest heap, MB', value: +most.toFixed(1) },
]);
rmSync(packed, { recursive: true });
