import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { docs } from '../.vitepress/navigation.ts';

// Runs the quickstart, and draws what it prints as an animated picture of a terminal: docs/pictures/example.svg.

const COMMAND = 'npm run example';
const TYPING_MS = 700;
/** The real run takes less than a second. A reader needs about this time for each line. */
const PER_LINE_MS = 380;
const LINE_PX = 22;
const WIDTH_PX = 760;

interface Line {
  label: string;
  detail: string;
}

const lines: Line[] = [];
const child = spawn('npm', ['run', '--silent', 'example'], {
  cwd: join(docs, '..'),
  stdio: ['ignore', 'pipe', 'inherit'],
});
for await (const line of createInterface({ input: child.stdout })) {
  const [label = '', detail = ''] = line.split(/ {2,}| (?=")/);
  if (label.trim() !== '') lines.push({ label: label.trim(), detail: short(detail) });
}
if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`${COMMAND} ended with ${child.exitCode}.`);

writeFileSync(join(docs, 'pictures/example.svg'), draw(lines));

/** An id without its middle, so that a line fits. */
function short(text: string): string {
  return text.replaceAll(/\b(\w{3}_\w{6})\w{10,}(\w{4})\b/g, '$1…$2');
}

function draw(printed: readonly Line[]): string {
  const height = 64 + (printed.length + 1) * LINE_PX;
  const rows = printed.map(({ label, detail }, index) => {
    const y = 58 + (index + 1) * LINE_PX;
    const isRefused = /\b401\b/.test(detail);
    const mark = isRefused ? 'no' : /^Verified|^GET|^Done/.test(label) ? 'yes' : 'plain';
    const delay = ((TYPING_MS + index * PER_LINE_MS) / 1000).toFixed(2);
    return `<g class="line" style="animation-delay:${delay}s"><text x="20" y="${y}" class="${mark}">${escapeXml(short(label))}</text><text x="330" y="${y}">${escapeXml(detail)}</text></g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH_PX} ${height}" role="img">
<title>${COMMAND}</title>
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#c9d1d9;white-space:pre}
.dim{fill:#8b949e}.yes{fill:#7ee787}.no{fill:#ffa198}.plain{fill:#a5d6ff}
.line{animation:show .2s ease-out both}
@keyframes show{from{opacity:0}to{opacity:1}}
@media (prefers-reduced-motion:reduce),print{.line{animation:none}}
</style>
<rect width="${WIDTH_PX}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="24" cy="20" r="5" fill="#f85149"/><circle cx="42" cy="20" r="5" fill="#d29922"/><circle cx="60" cy="20" r="5" fill="#3fb950"/>
<text x="20" y="54"><tspan class="dim">$</tspan> ${COMMAND}</text>
${rows.join('\n')}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
